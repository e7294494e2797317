import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** Waits for a staging or a creation in flight, and blocks others until the end of the transaction. */
export const LOCK_ACCOUNT_IMPORT_ROW = sql('lock-account-import-row', { erased_at: 'timestamptz | null' })`
  SELECT erased_at
  FROM account_imports
  WHERE id = ${'id'}
    AND import_supplier_code = ${'import_supplier_code'}
    AND external_account_number = ${'external_account_number'}
  FOR UPDATE`;

/** Blanks what was written about the account in its audit events; nothing else in them can be changed. */
export const ERASE_AUDIT_REASONS = sql('erase-audit-reasons', { erase_audit_reasons: 'void' })`
  SELECT erase_audit_reasons(${'id'})`;

/**
 * Everything that an erasure changes, except audit events, as one statement on locked rows. It clears everything that
 * describes a person: texts, names, contacts, external references, document paths, meter identifiers. Amounts, dates,
 * types and identifying numbers stay, and so does every row. A new revision makes a concurrent import start again and
 * find the account erased.
 */
export const ERASE_ACCOUNT = sql('erase-account')`
  WITH import AS (
    UPDATE account_imports
    SET
      payload = NULL,
      payload_removed_at = coalesce(payload_removed_at, ${'at'}),
      erased_at = ${'at'},
      updated_at = ${'at'},
      state = CASE state WHEN 'COMPLETED' THEN state ELSE 'SKIPPED' END,
      skip_reason = CASE state WHEN 'COMPLETED' THEN NULL ELSE 'Erased' END,
      skipped_at = CASE state WHEN 'COMPLETED' THEN skipped_at ELSE coalesce(skipped_at, ${'at'}) END
    WHERE id = ${'id'}
  ),
  account AS (
    UPDATE accounts
    SET billing_name = NULL, billing_email = NULL, details = '{}', revision = revision + 1
    WHERE account_import_id = ${'id'}
  ),
  customer AS (
    UPDATE customers
    SET title = NULL, given_name = NULL, family_name = NULL, email = NULL, mobile = NULL, landline = NULL,
      date_of_birth = NULL, details = '{}'
    WHERE account_import_id = ${'id'}
  ),
  supply_address AS (
    UPDATE supply_addresses
    SET supply_address1 = '[erased]', supply_address2 = NULL, supply_address3 = NULL, supply_address4 = NULL,
      supply_address5 = NULL, supply_postcode = '[erased]'
    WHERE account_import_id = ${'id'}
  ),
  meter_point AS (
    UPDATE meter_points
    SET identifier = NULL, meters = coalesce((
        SELECT jsonb_agg(meter - 'meter_serial_number' ORDER BY position)
        FROM jsonb_array_elements(meters) WITH ORDINALITY AS element (meter, position)
      ), '[]')
    WHERE account_import_id = ${'id'}
  ),
  note AS (
    UPDATE notes
    SET body = '[erased]', document_paths = '{}'
    WHERE account_import_id = ${'id'}
  ),
  money AS (
    UPDATE transactions
    SET display_note = NULL, note = NULL, reference = NULL
    WHERE account_import_id = ${'id'}
  ),
  bill AS (
    UPDATE statements
    SET statement_path = NULL
    WHERE account_import_id = ${'id'}
  ),
  instruction AS (
    UPDATE payment_instructions
    SET reference = '[erased]', details = '{}'
    WHERE account_import_id = ${'id'}
  ),
  answer AS (
    DELETE FROM idempotency_keys
    WHERE account_import_id = ${'id'}
  )
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  VALUES (${AUDIT_VALUES}, 'account_import', 'erased', jsonb_build_object('reason', ${'reason'}::text))`;

/**
 * Runs again after the erasure has committed: a repeat that changes nothing waits for no lock, and may have kept what
 * it read after the erasing statement had begun. Any such repeat had claimed its key before, and without a valid claim
 * it keeps no answer.
 */
export const FORGET_ANSWERS = sql('forget-answers-about-account')`
  DELETE FROM idempotency_keys
  WHERE account_import_id = ${'id'}`;
