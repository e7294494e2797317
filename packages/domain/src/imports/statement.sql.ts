import { type ImportOperation, LIMITS } from '@causeway/contracts';
import { type Fragment, fragment, rawSql, sql } from '@causeway/db';
import { settleRefusals } from '../refusals/settle.ts';
import { AUDIT_RECORD } from '../shared/audit-values.ts';
import { IS_NAMED_BY_INPUT, NO_TYPES } from '../shared/conditions.sql.ts';

const MAX_KEPT_BYTES = rawSql(String(LIMITS.kept_bytes));

/** How much would be kept of the account with what the call adds, in bytes. */
const KEPT_BYTES = fragment`
          octet_length(input.kept_fields::text) + coalesce(octet_length(import.kept_fields::text), 0) + (
            SELECT coalesce(sum(octet_length(fields::text)), 0)
            FROM kept_fields
            WHERE account_import_id = input.id
          )`;

/**
 * The call's own records, of this shape, in their order: to be joined LATERAL to the call, which has `first_record` and
 * `last_record`.
 */
export function recordsOfCall(shape: Fragment) {
  return fragment`(
      SELECT *
      FROM ROWS FROM (json_to_recordset(${'records'}::json) AS ${shape}) WITH ORDINALITY AS record
      WHERE ordinality BETWEEN first_record AND last_record
    ) AS record`;
}

/** How the statement of an import reads its calls, in addition to what all calls have. */
export interface AccountCalls {
  operation: ImportOperation;
  /** The call's `values`, as columns of a record. */
  values: Fragment;
  /** A query of one JSON value, NULL if there is nothing: the part of `input` that the account already has. */
  stored: Fragment<'records'>;
  /** Whether a call without a seen revision may write, in terms of `found`. */
  mayWriteUnseen: Fragment;
}

/**
 * The beginning of a grouped statement that imports into accounts, as common table expressions; the statement then
 * inserts the rows of each `claimed` call, and returns `seenAccount` for each `found` one.
 *
 * - `input`: the calls. `seen_revision` is the account's revision on which the call decided what to write, or null for
 *   an optimistic call that has not read the account.
 * - `found`: each call with its account and what is `stored` there. It also compares the columns from which the
 *   account's id is derived, so that a collision finds nothing. A call without a row has no such account.
 * - `free`: those of their accounts that were not locked by others, now locked. None if the call `may_wait`: it runs
 *   alone, and waits for the lock in `claimed`.
 * - `claimed`: the calls that write, each by incrementing its account's revision: those with a seen revision if it is
 *   still current, the others if `mayWriteUnseen` holds. Of two calls with the same revision only one writes. An erased
 *   account accepts nothing.
 * - `kept`: the undocumented fields of the calls that write, if any. A call with which too many would be kept of its
 *   account writes nothing.
 */
export function accountCalls({ operation, values, stored, mayWriteUnseen }: AccountCalls) {
  return fragment`input AS MATERIALIZED (
    SELECT *
    FROM json_to_recordset(${'calls'}::json) AS input (${AUDIT_RECORD},
      import_supplier_code text, external_account_number text, seen_revision integer, kept_fields json, reports json, ${values})
  ),
  found AS MATERIALIZED (
    SELECT input.*, account.*, (${stored}) AS stored
    FROM input
    CROSS JOIN LATERAL (
      SELECT account.revision, account.service_account_number, account.open_statement_from, import.erased_at,
        CASE WHEN input.kept_fields IS NULL THEN 0 ELSE (${KEPT_BYTES}) END AS kept_bytes
      FROM accounts AS account
      JOIN account_imports AS import ON import.id = account.account_import_id
        AND ${IS_NAMED_BY_INPUT}
      WHERE account.account_import_id = input.id
      OFFSET 0
    ) AS account
  ),
  free AS MATERIALIZED (
    SELECT account_import_id AS id
    FROM accounts
    WHERE NOT ${'may_wait'} AND account_import_id = ANY (ARRAY(SELECT id FROM found))
    FOR NO KEY UPDATE SKIP LOCKED
  ),
  claimed AS (
    UPDATE accounts AS account
    SET revision = account.revision + 1
    FROM found
    WHERE account.account_import_id = ANY (ARRAY(SELECT id FROM found))
      AND account.account_import_id = found.id
      AND account.revision = coalesce(found.seen_revision, found.revision)
      AND found.erased_at IS NULL
      AND found.kept_bytes <= ${MAX_KEPT_BYTES}
      AND (${'may_wait'} OR found.id IN (SELECT id FROM free))
      AND (found.seen_revision IS NOT NULL OR ${mayWriteUnseen})
    RETURNING found.*
  ),
  kept AS (
    INSERT INTO kept_fields (account_import_id, operation, fields, created_at)
    SELECT id, ${rawSql(`'${operation}'`)}, kept_fields, at
    FROM claimed
    WHERE kept_fields IS NOT NULL
  )`;
}

/**
 * What every such statement returns for each `found` call: a `SeenAccount`. The refusals of those that were claimed are
 * settled, so that a success and what it resolves and reports are committed together.
 *
 * @param types of payment instructions that the statement stores
 */
export function seenAccount(operation: ImportOperation, types = NO_TYPES) {
  return fragment`
    id,
    revision,
    id IN (SELECT id FROM claimed) AS written,
    erased_at IS NOT NULL AS erased,
    kept_bytes > ${MAX_KEPT_BYTES} AS keeps_too_much,
    NOT ${'may_wait'} AND id NOT IN (SELECT id FROM free) AS busy,
    CASE WHEN id IN (SELECT id FROM claimed) THEN ${settleRefusals([operation], types)} END AS settled`;
}

export const SEEN_ACCOUNT_COLUMNS = {
  id: 'uuid',
  revision: 'integer',
  written: 'boolean',
  erased: 'boolean',
  keeps_too_much: 'boolean',
  busy: 'boolean',
  settled: 'void | null',
} as const;

/** Waits for an import into the account in flight, and blocks others until the end of the transaction. */
export const LOCK_ACCOUNT = sql('lock-account')`
  SELECT FROM accounts
  WHERE account_import_id = ${'id'}
  FOR UPDATE`;
