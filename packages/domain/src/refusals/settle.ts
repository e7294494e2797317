import { type ImportOperation, REMARKS, type RefusedOperation, type RemarkCode } from '@causeway/contracts';
import { type Fragment, fragment, type Queryable, rawSql, sql } from '@causeway/db';
import { NO_TYPES } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import type { AccountKey } from '../shared/derived-id.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import { kindsOf, type RefusedField, refusedFields } from '../shared/refused-fields.ts';

/** A line of a bulk job that was accepted. */
export interface AcceptedLine {
  id: string;
  /**
   * Of one whose account exists exactly as it is in the line, and of one without an account: what the line brings. It says
   * nothing of a refused line that was to bring more. Undefined of one whose account was stored now: it takes the place of
   * those before it.
   */
  brings?: object | undefined;
}

/** Resolves the open refusals of the lines of these accounts, which a later line of the account has replaced. */
export async function settleLines(queryable: Queryable, accepted: readonly AcceptedLine[], now: Date): Promise<void> {
  if (accepted.length > 0) await queryable.query(SETTLE_LINES, { lines: JSON.stringify(accepted), now });
}

const SETTLE_LINES = sql('settle-lines')`
  WITH accepted AS MATERIALIZED (
    SELECT id, brings
    FROM json_to_recordset(${'lines'}::json) AS accepted (id uuid, brings jsonb)
  ),
  found AS MATERIALIZED (
    SELECT id, (
      SELECT coalesce(jsonb_object_agg(kind, brought), '{}')
      FROM jsonb_each(kinds_of_line(refusal)) AS refused (kind, brought)
      WHERE CASE
        WHEN brings IS NULL THEN false
        WHEN jsonb_typeof(brought) = 'number' THEN coalesce((brings->>kind)::integer, 0) < brought::integer
        ELSE NOT brings ? kind
      END
    ) AS left_over
    FROM accepted
    JOIN account_import_refusals AS refusal ON account_import_id = id AND operation = 'line' AND reported = ''
    WHERE resolved_at IS NULL
    ORDER BY account_import_id
    FOR NO KEY UPDATE OF refusal
  )
  UPDATE account_import_refusals
  SET detail = left_over, lacking = '{}', resolved_at = CASE WHEN left_over = '{}' THEN ${'now'}::timestamptz END
  FROM found
  WHERE account_import_id = id AND operation = 'line' AND reported = ''`;

/**
 * Settles what is remembered of a call that succeeds, in the statement that writes: for the select list, in terms of
 * the call's `id`, `at` and `reports`. It resolves the open refusals of these operations and remembers the call's
 * reports (`reportRows`). Where there is neither it costs a look-up, less than an UPDATE of its own.
 *
 * @param types of payment instructions that the statement stores
 */
export function settleRefusals(operations: readonly RefusedOperation[], types = NO_TYPES): Fragment {
  return fragment`CASE
      WHEN reports IS NOT NULL OR (
        SELECT true
        FROM account_import_refusals AS refusal
        WHERE refusal.account_import_id = id AND refusal.resolved_at IS NULL
        LIMIT 1
      )
      THEN settle_import_refusals(id, ARRAY[${rawSql(operations.map((name) => `'${name}'`).join(', '))}], at, reports, ${types})
    END`;
}

/** The same for a success that writes nothing else. */
export const SETTLE_UNWRITTEN = sql('settle-refusals-of-unwritten-success', { settled: 'void | null' })`
  SELECT settle_import_refusals(${'id'}, ARRAY[${'operation'}], ${'at'}, ${'reports'}::json) AS settled`;

/** A problem of a call that succeeds nevertheless (behaviour 4.15.10). */
export interface CallReport {
  code: RemarkCode;
  /**
   * Paths with indexes or `*`: `{ code: 'existing_data_differs', attr: 'transactions.*.amount' }`. Of many, one for
   * each path is sufficient.
   */
  errors?: readonly RefusedField[];
  /** By digests of the records that it is about, their problems; the account itself is ''. */
  records?: Readonly<Record<string, readonly string[]>>;
  /** Digests of records that it is about no more. */
  confirmed?: readonly string[];
  /**
   * What the service team sees beside the code: what the service computed itself, such as two sums. Never text that was
   * sent, and nothing that describes a person.
   */
  detail?: Readonly<Record<string, string | number | boolean>>;
}

/** A call that succeeds, and what is reported of it. */
export interface ReportedCall {
  operation: ImportOperation;
  reports: readonly CallReport[];
}

/**
 * What a writing statement takes as `reports` (`settleRefusals`): the effect and its reports are committed together.
 * Listed with the problems, a report does not keep the account from being complete. One row an account, operation and
 * code, with the records that it is about: what is reported of others is added to it. Nothing if there are none.
 */
export function reportRows(call: ReportedCall & Omit<AccountKey, 'id'> & { request_id: string }): {
  reports?: unknown[];
} {
  const { operation, reports, request_id, import_supplier_code, external_account_number } = call;
  if (reports.length === 0) return {};
  const of = { operation, request_id, import_supplier_code, external_account_number };
  return {
    reports: reports.map(({ code, errors, ...report }) => {
      if (errors === undefined) return { ...of, code, ...report };
      const fields = refusedFields(errors);
      const is_told = REMARKS[code].keepsFromReady;
      return { ...of, code, is_told, errors: fields, problems: kindsOf(code, fields), ...report };
    }),
  };
}

/**
 * Resolves the open refusals of the calls' operations, and of a refused line what they are. Locked in the order of their
 * key: several instances do this.
 */
const RESOLVE_UNWRITTEN = sql('resolve-refusals-of-unwritten-successes', { id: 'uuid', busy: 'boolean' })`
  WITH input AS MATERIALIZED (
    SELECT id, operation, at
    FROM json_to_recordset(${'calls'}::json) AS input (id uuid, operation text, at timestamptz)
  ),
  found AS MATERIALIZED (
    SELECT refusal.account_import_id, refusal.operation, refusal.reported, input.at,
      CASE refusal.operation WHEN 'line' THEN left_of_line(refusal, ARRAY[input.operation], ${NO_TYPES}) END AS left_over
    FROM input
    JOIN account_import_refusals AS refusal ON refusal.account_import_id = input.id
      AND refusal.operation IN (input.operation, 'line')
    WHERE refusal.resolved_at IS NULL AND refusal.reported = '' AND NOT lacks_instruction(refusal, ${NO_TYPES})
    ORDER BY refusal.account_import_id, refusal.operation, refusal.reported
    FOR NO KEY UPDATE OF refusal
  ),
  resolved AS (
    UPDATE account_import_refusals AS refusal
    SET
      detail = CASE refusal.operation WHEN 'line' THEN found.left_over ELSE refusal.detail END,
      lacking = CASE refusal.operation WHEN 'line' THEN '{}'::jsonb END,
      resolved_at = CASE WHEN refusal.operation <> 'line' OR found.left_over = '{}' THEN found.at END
    FROM found
    WHERE refusal.account_import_id = found.account_import_id
      AND refusal.operation = found.operation
      AND refusal.reported = found.reported
      AND (refusal.operation <> 'line' OR refusal.detail IS DISTINCT FROM found.left_over)
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
  await resolveTogether(database, { id, operation, at: clock().toISOString() });
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
