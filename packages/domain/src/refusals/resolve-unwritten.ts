import type { ImportOperation } from '@causeway/contracts';
import type { AccountKey } from '../account-key.ts';
import type { Context } from '../context.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { type ReportedCall, reportRows } from './report.ts';
import { RESOLVE_UNWRITTEN } from './resolve-unwritten.sql.ts';
import { SETTLE_UNWRITTEN } from './settle-refusals.sql.ts';

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
