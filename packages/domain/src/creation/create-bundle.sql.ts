import { type Fragment, fragment, rawSql, sql } from '@causeway/db';
import { NOTE_COLUMNS, NOTE_RECORD } from '../notes/decide-notes.ts';
import { AUDITED_CALL } from '../shared/audit-values.ts';
import { HISTORY } from '../shared/conditions.sql.ts';
import { eventsOfCreation } from '../shared/events.sql.ts';
import { STATEMENT_COLUMNS, STATEMENT_FIELDS } from '../statements/import-statements.ts';
import { TRANSACTION_COLUMNS, TRANSACTION_RECORD } from '../transactions/decide-transactions.ts';
import { createAccounts } from './create-account.sql.ts';
import { CREATION_COLUMNS, creations, SUCCEEDED } from './creations.sql.ts';

const typesOf = (row: Fragment) =>
  fragment`ARRAY(SELECT type FROM json_to_recordset(${row}.payment_instructions) AS carried (type text))`;

/**
 * Creates accounts with their histories, each all or nothing: the checks and the accounts' rows are those of
 * `PROCESS_ACCOUNTS`. The rows of a history were decided on a payload that was read before: if it was staged again
 * since, nothing of the account is written. `events` are its audit events, in their order.
 */
export const CREATE_BUNDLES = sql('create-bundles', CREATION_COLUMNS)`
  WITH ${createAccounts({
    values: fragment`times_staged integer, last_statement_balance text, notes json, transactions json,
      historical_transactions json, statements json, payment_instructions json, carried text[], events json`,
    history: fragment`NULL::text`,
    mayCreate: fragment`import.times_staged = slot.times_staged`,
    // Once: each access to the whole of it would unpack it again.
    payload: fragment`(import.payload - ${HISTORY})`,
    lastStatementBalance: fragment`last_statement_balance`,
  })},
  note AS (
    INSERT INTO notes (account_import_id, ${NOTE_COLUMNS})
    SELECT id, ${NOTE_COLUMNS}
    FROM completed, json_to_recordset(notes) AS record ${NOTE_RECORD}
  ),
  money AS (
    INSERT INTO transactions (account_import_id, ${TRANSACTION_COLUMNS}, is_historical, created_at)
    SELECT id, ${TRANSACTION_COLUMNS}, true, at
    FROM completed, json_to_recordset(historical_transactions) AS record ${TRANSACTION_RECORD}
    UNION ALL
    SELECT id, ${TRANSACTION_COLUMNS}, false, at
    FROM completed, json_to_recordset(transactions) AS record ${TRANSACTION_RECORD}
  ),
  bill AS (
    INSERT INTO statements (account_import_id, ${STATEMENT_COLUMNS}, created_at)
    SELECT id, record.*, at
    FROM completed, json_to_recordset(statements) AS record (${STATEMENT_FIELDS})
  ),
  instruction AS (
    INSERT INTO payment_instructions (account_import_id, vendor, reference, type, details, created_at)
    SELECT id, vendor, reference, type, details, at
    FROM completed, json_to_recordset(payment_instructions)
      AS instruction (vendor text, reference text, type text, details jsonb)
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED_CALL} 'account_import', event.action, event.detail
    FROM completed, json_to_recordset(events) AS event (action text, detail jsonb)
  ),
  ${eventsOfCreation(fragment`${SUCCEEDED} || completed.carried`, typesOf(rawSql('completed')))}
  ${creations(fragment`${SUCCEEDED} || checked.carried`, typesOf(rawSql('checked')))}`;
