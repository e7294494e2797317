import type { ImportOperation } from '@causeway/contracts';
import { type Fragment, fragment, rawSql, sql } from '@causeway/db';

/** The operations that have succeeded, as an array of SQL. */
export const succeeded = (operations: readonly ImportOperation[]): Fragment =>
  fragment`ARRAY[${rawSql(operations.map((name) => `'${name}'`).join(', '))}]`;

/** Whether a type of payment instruction was refused, in terms of the row `refusal`, that is none of these types. */
export const lacksInstruction = (types: Fragment): Fragment => fragment`EXISTS (
      SELECT FROM jsonb_object_keys(refusal.detail) AS lacking (type)
      WHERE refusal.operation = 'payment_instruction' AND refusal.reported = '' AND lacking.type NOT IN (${types})
    )`;

/** The types of payment instruction that the account of the row `refusal` has. */
export const STORED_TYPES = fragment`SELECT type FROM payment_instructions AS active
        WHERE active.account_import_id = refusal.account_import_id`;

/** The same of an account import by its `id`, of all its open refusals. */
export const stillLacksInstruction = (id: Fragment, types: Fragment): Fragment => fragment`EXISTS (
      SELECT FROM account_import_refusals AS refusal
      WHERE refusal.account_import_id = ${id} AND refusal.resolved_at IS NULL AND ${lacksInstruction(types)}
    )`;

/**
 * Settles what is remembered of a call that succeeds, in the statement that writes: for the select list, in terms of
 * the call's `id`, `at` and `reports`. It resolves the open refusals of the operations that have `succeeded` and remembers
 * the call's reports (`reportRows`). Where there is neither it costs a look-up, less than an UPDATE of its own.
 */
export function settleRefusals(operations: Fragment): Fragment {
  return fragment`CASE
      WHEN reports IS NOT NULL OR (
        SELECT true
        FROM account_import_refusals AS refusal
        WHERE refusal.account_import_id = id AND refusal.resolved_at IS NULL
        LIMIT 1
      )
      THEN settle_import_refusals(id, ${operations}, at, reports)
    END`;
}

/** The same for a success that writes nothing else. */
export const SETTLE_UNWRITTEN = sql('settle-refusals-of-unwritten-success', { settled: 'void | null' })`
  SELECT settle_import_refusals(${'id'}, ARRAY[${'operation'}], ${'at'}, ${'reports'}::json) AS settled`;
