import type { ImportOperation } from '@causeway/contracts';
import { sql } from '@causeway/db';
import type { AccountKey } from '../account-key.ts';
import type { Context } from '../context.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { type ReportedCall, reportRows } from './report.ts';
import { NO_TYPES, SETTLE_UNWRITTEN } from './settle-refusals.sql.ts';

/** Resolves the open refusals of the calls' operations. Locked in the order of their key: several instances do this. */
const RESOLVE_UNWRITTEN = sql('resolve-refusals-of-unwritten-successes', { id: 'uuid', busy: 'boolean' })`
  WITH input AS MATERIALIZED (
    SELECT id, operation, at
    FROM json_to_recordset(${'calls'}::json) AS input (id uuid, operation text, at timestamptz)
  ),
  found AS MATERIALIZED (
    SELECT refusal.account_import_id, refusal.operation, refusal.reported, input.at
    FROM input
    JOIN account_import_refusals AS refusal ON refusal.account_import_id = input.id
      AND refusal.operation = input.operation
    WHERE refusal.resolved_at IS NULL AND NOT lacks_instruction(refusal, ${NO_TYPES})
    ORDER BY refusal.account_import_id, refusal.operation, refusal.reported
    FOR NO KEY UPDATE OF refusal
  ),
  resolved AS (
    UPDATE account_import_refusals AS refusal
    SET resolved_at = found.at
    FROM found
    WHERE refusal.account_import_id = found.account_import_id
      AND refusal.operation = found.operation
      AND refusal.reported = found.reported
  )
  SELECT id, false AS busy FROM input`;

const resolveTogether = groupedStatement(RESOLVE_UNWRITTEN);

/**
 * Resolves the open refusals of an operation that has succeeded without writing anything: a validation, a dry run, a
 * repeat of what the account already has. It is done before the success is answered.
 */
export async function resolveUnwritten(
  { database, clock }: Context,
  id: string,
  operation: ImportOperation,
): Promise<void> {
  await resolveTogether(database, { id, operation, at: clock() });
}

/** The same of a success of which something is reported. */
export async function settleUnwritten(context: Context, key: AccountKey, call: ReportedCall): Promise<void> {
  const { id } = key;
  const { operation } = call;
  const { reports } = reportRows({ ...call, ...key, request_id: context.requestId });
  if (reports === undefined) return resolveUnwritten(context, id, operation);
  const values = { id, operation, at: context.clock(), reports: JSON.stringify(reports) };
  await context.database.query(SETTLE_UNWRITTEN, values);
}
