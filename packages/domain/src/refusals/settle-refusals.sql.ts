import type { ImportOperation } from '@causeway/contracts';
import { type Fragment, fragment, rawSql, sql } from '@causeway/db';

/** No types of payment instruction. */
export const NO_TYPES = fragment`ARRAY[]::text[]`;

/**
 * Settles what is remembered of a call that succeeds, in the statement that writes: for the select list, in terms of
 * the call's `id`, `at` and `reports`. It resolves the open refusals of these operations and remembers the call's
 * reports (`reportRows`). Where there is neither it costs a look-up, less than an UPDATE of its own.
 *
 * @param types of payment instructions that the statement stores
 */
export function settleRefusals(operations: readonly ImportOperation[], types = NO_TYPES): Fragment {
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
