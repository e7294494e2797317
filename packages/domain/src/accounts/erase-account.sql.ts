import { statement } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit-values.ts';

/** Waits for a staging or a creation that is under way; no other begins before the end of the transaction. */
export const LOCK_ACCOUNT_IMPORT_ROW = statement(
  'lock-account-import-row',
  `SELECT erased_at FROM account_imports
  WHERE id = $1 AND import_supplier_code = $2 AND external_account_number = $3 FOR UPDATE`,
);

/** Waits for an import into the account that is under way: what it has added is erased too. */
export const LOCK_ACCOUNT_ROW = statement(
  'lock-account-row',
  'SELECT FROM accounts WHERE account_import_id = $1 FOR UPDATE',
);

/** Blanks what was written about the account in its audit events; the rest of them nobody can change. */
export const ERASE_AUDIT_REASONS = statement('erase-audit-reasons', 'SELECT erase_audit_reasons($1)');

/**
 * Everything that erasing changes but audit events, as one statement on rows that are locked. $1 - $5 are
 * `auditValues`, $6 the reason.
 * What says something about a person goes: texts, names, contacts, references of others, paths of documents, identifiers
 * of meters. Figures, dates, types and the numbers by which things are told apart stay, and so does every row.
 * A new revision makes an import that has seen the account start over, and find it erased.
 */
export const ERASE_ACCOUNT = statement(
  'erase-account',
  `WITH import AS (
    UPDATE account_imports
    SET payload = NULL, payload_removed_at = coalesce(payload_removed_at, $5), erased_at = $5, updated_at = $5,
      state = CASE state WHEN 'COMPLETED' THEN state ELSE 'SKIPPED' END,
      skip_reason = CASE state WHEN 'COMPLETED' THEN NULL ELSE 'Erased' END,
      skipped_at = CASE state WHEN 'COMPLETED' THEN skipped_at ELSE coalesce(skipped_at, $5) END
    WHERE id = $1
  ),
  account AS (
    UPDATE accounts SET billing_name = NULL, billing_email = NULL, details = '{}', revision = revision + 1
    WHERE account_import_id = $1
  ),
  customer AS (
    UPDATE customers SET title = NULL, given_name = NULL, family_name = NULL, email = NULL, mobile = NULL,
      landline = NULL, date_of_birth = NULL, details = '{}'
    WHERE account_import_id = $1
  ),
  supply_address AS (
    UPDATE supply_addresses SET supply_address1 = '[erased]', supply_address2 = NULL, supply_address3 = NULL,
      supply_address4 = NULL, supply_address5 = NULL, supply_postcode = '[erased]'
    WHERE account_import_id = $1
  ),
  meter_point AS (
    UPDATE meter_points SET identifier = NULL, meters = coalesce((
        SELECT jsonb_agg(meter - 'meter_serial_number' ORDER BY position)
        FROM jsonb_array_elements(meters) WITH ORDINALITY AS element (meter, position)
      ), '[]')
    WHERE account_import_id = $1
  ),
  note AS (
    UPDATE notes SET body = '[erased]', document_paths = '{}' WHERE account_import_id = $1
  ),
  money AS (
    UPDATE transactions SET display_note = NULL, note = NULL, reference = NULL WHERE account_import_id = $1
  ),
  bill AS (
    UPDATE statements SET statement_path = NULL WHERE account_import_id = $1
  ),
  instruction AS (
    UPDATE payment_instructions SET reference = '[erased]', details = '{}' WHERE account_import_id = $1
  ),
  answer AS (
    DELETE FROM idempotency_keys WHERE account_import_id = $1
  )
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  VALUES (${AUDIT_VALUES}, 'account_import', 'erased', jsonb_build_object('reason', $6::text))`,
);
