import { type Fragment, fragment } from '@causeway/db';
import { AUDIT_RECORD } from '../audit/audit.sql.ts';

/** How the statement of an import reads its calls, in addition to what all calls have. */
export interface AccountCalls {
  /** The call's `values`, as columns of a record. */
  values: Fragment;
  /** A query of one JSON value, NULL if there is nothing: the part of `input` that the account already has. */
  stored: Fragment<'lone_records'>;
  /** Whether a call without a seen revision may write, in terms of `found`. */
  mayWriteUnseen: Fragment;
}

/**
 * The beginning of a grouped statement that imports into accounts, as common table expressions; the statement then
 * inserts the rows of each `claimed` call, and returns `SEEN_ACCOUNT` for each `found` one.
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
 */
export function accountCalls({ values, stored, mayWriteUnseen }: AccountCalls) {
  return fragment`input AS MATERIALIZED (
    SELECT *
    FROM json_to_recordset(${'calls'}::json) AS input (${AUDIT_RECORD},
      import_supplier_code text, external_account_number text, seen_revision integer, ${values})
  ),
  found AS MATERIALIZED (
    SELECT input.*, account.*, (${stored}) AS stored
    FROM input
    CROSS JOIN LATERAL (
      SELECT account.revision, account.service_account_number, account.open_statement_from, import.erased_at
      FROM accounts AS account
      JOIN account_imports AS import ON import.id = account.account_import_id
        AND import.import_supplier_code = input.import_supplier_code
        AND import.external_account_number = input.external_account_number
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
      AND (${'may_wait'} OR found.id IN (SELECT id FROM free))
      AND (found.seen_revision IS NOT NULL OR ${mayWriteUnseen})
    RETURNING found.*
  )`;
}

/** What every such statement returns for each `found` call: a `SeenAccount`. */
export const SEEN_ACCOUNT = fragment`
    id,
    revision,
    id IN (SELECT id FROM claimed) AS written,
    erased_at IS NOT NULL AS erased,
    NOT ${'may_wait'} AND id NOT IN (SELECT id FROM free) AS busy`;

export const SEEN_ACCOUNT_COLUMNS = {
  id: 'uuid',
  revision: 'integer',
  written: 'boolean',
  erased: 'boolean',
  busy: 'boolean',
} as const;
