import { type Fragment, fragment, type RowOf, sql } from '@causeway/db';
import { AUDITED_CALL } from '../shared/audit-values.ts';
import { HISTORY, NO_TYPES } from '../shared/conditions.sql.ts';
import { eventsOfCreation } from '../shared/events.sql.ts';
import { createAccounts, MAY_WAIT } from './create-account.sql.ts';
import { HISTORY_TEXT } from './foresee-bundle.ts';

/** What both statements return of the checks. */
export const CREATION_COLUMNS = {
  id: 'uuid',
  busy: 'boolean',
  locked: 'boolean',
  supplier_status: 'import_supplier_status | null',
  state: 'account_import_state | null',
  times_staged: 'integer | null',
  operations_team_id: 'uuid | null',
  number_taken: 'boolean',
  slot_found: 'boolean',
  created: 'boolean',
  history: 'text | null',
  resolved: 'void | null',
} as const;

/** The operations that a creation has settled, except for those of its history. */
export const SUCCEEDED = fragment`ARRAY['process', 'dry_run', 'validate']`;

/**
 * What both statements found for each call (`createAccounts`). `busy`: the call must be alone. `locked` is false if
 * another call is working on the account, and `number_taken` is true if another account has the number; in these cases
 * nothing was done. `slot_found` without `created`: the account became pending while the statement waited for it, and
 * is not pending in the statement's snapshot; or the statement may not create this payload. `created` says whether it
 * wrote the account; otherwise the first failed check is the reason. The creation resolves the open refusals of what
 * comes before it, except those of staging: what was sent last is then not what the account was created from. With a
 * history it resolves those of the imports that it has `carried` too.
 *
 * @param succeeded the operations whose refusals are resolved, in terms of the row `checked`
 * @param types of payment instructions that are stored with it
 */
export function creations(succeeded: Fragment, types = NO_TYPES) {
  return fragment`SELECT
    checked.id,
    NOT ${MAY_WAIT} AND checked.held AND (
      checked.status IS NULL
      OR checked.id NOT IN (SELECT id FROM free)
      OR (checked.process_concurrency_limit IS NOT NULL AND checked.has_slot IS NOT TRUE)
    ) AS busy,
    checked.held AS locked,
    checked.status AS supplier_status,
    checked.state,
    checked.times_staged_now AS times_staged,
    checked.operations_team_id,
    checked.number_taken,
    slot.id IS NOT NULL AS slot_found,
    completed.id IS NOT NULL AS created,
    slot.history,
    CASE WHEN completed.id IS NOT NULL THEN (
      SELECT resolve_import_refusals(checked.id, ${succeeded}, checked.at, ${types})
      FROM account_import_refusals
      WHERE account_import_id = checked.id AND resolved_at IS NULL
      LIMIT 1
    ) END AS resolved
  FROM checked
  LEFT JOIN slot USING (id)
  LEFT JOIN completed USING (id)`;
}

/**
 * The whole of process, as one statement, for accounts without history. If a payload carries a history, nothing of it is
 * written and `history` is that part of the payload: the rules decide on it before `CREATE_BUNDLES` writes.
 */
export const PROCESS_ACCOUNTS = sql('process-accounts', CREATION_COLUMNS)`
  WITH ${createAccounts({
    history: HISTORY_TEXT,
    mayCreate: fragment`NOT import.payload ?| ${HISTORY}`,
    payload: fragment`import.payload`,
    lastStatementBalance: fragment`(payload->>'last_statement_balance')`,
  })},
  audit AS (
    INSERT INTO audit_events ${AUDITED_CALL} 'account_import', 'processed',
      jsonb_build_object('service_account_number', service_account_number)
    FROM completed
  ),
  ${eventsOfCreation(SUCCEEDED)}
  ${creations(SUCCEEDED)}`;

export type ProcessAccountRow = RowOf<typeof PROCESS_ACCOUNTS>;

/** Waits for the account's lock; within a transaction, before it is processed. */
export const LOCK_ACCOUNT_IMPORT = sql('lock-account-import', { pg_advisory_xact_lock: 'void' })`
  SELECT pg_advisory_xact_lock(${'account_lock'}::bigint)`;
