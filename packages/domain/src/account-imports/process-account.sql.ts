import { fragment, type RowOf, sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_FIELDS } from '../audit/audit-values.ts';
import { HISTORY_TEXT } from '../bundles/read-history.sql.ts';
import { eventsOfCreation } from '../events/events.sql.ts';
import { createAccounts, HISTORY } from './create-account.sql.ts';
import { CREATION_COLUMNS, creations, SUCCEEDED } from './creations.sql.ts';

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
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_FIELDS}, 'account_import', 'processed',
      jsonb_build_object('service_account_number', service_account_number)
    FROM completed
  ),
  ${eventsOfCreation(SUCCEEDED)}
  ${creations(SUCCEEDED)}`;

export type ProcessAccountRow = RowOf<typeof PROCESS_ACCOUNTS>;

/** Waits for the account's lock; within a transaction, before it is processed. */
export const LOCK_ACCOUNT_IMPORT = sql('lock-account-import', { pg_advisory_xact_lock: 'void' })`
  SELECT pg_advisory_xact_lock(${'account_lock'}::bigint)`;
