import { fragment, sql } from '@causeway/db';
import { AUDITED } from '../shared/audit-values.ts';
import { IS_NAMED } from '../shared/conditions.sql.ts';

/** Waits for a staging or a creation in flight, and blocks others until the end of the transaction. */
export const LOCK_ACCOUNT_IMPORT_ROW = sql('lock-account-import-row', { erased_at: 'timestamptz | null' })`
  SELECT erased_at
  FROM account_imports AS import
  WHERE id = ${'id'}
    AND ${IS_NAMED}
  FOR UPDATE`;

/** Blanks what was written about the account in its audit events; nothing else in them can be changed. */
export const ERASE_AUDIT_REASONS = sql('erase-audit-reasons', { erase_audit_reasons: 'void' })`
  SELECT erase_audit_reasons(${'id'})`;

/** Waits until it is written what happened to the account's e-mails, and of their addresses. */
export const LOCK_EMAILS_OF_ACCOUNT = sql('lock-emails-of-account')`
  SELECT FROM customer_emails
  WHERE account_import_id = ${'id'}
  ORDER BY id
  FOR UPDATE`;

/** Every text of the account's data that can be an e-mail address, also of anyone who never had an e-mail. */
const ADDRESSES = fragment`
    SELECT lower(value #>> '{}')
    FROM (
      SELECT payload AS document FROM account_imports WHERE id = ${'id'}
      UNION ALL
      SELECT to_jsonb(account) FROM accounts AS account WHERE account_import_id = ${'id'}
      UNION ALL
      SELECT to_jsonb(customer) FROM customers AS customer WHERE account_import_id = ${'id'}
      UNION ALL
      SELECT details FROM supply_addresses WHERE account_import_id = ${'id'}
      UNION ALL
      SELECT to_jsonb(address) FROM customer_emails WHERE account_import_id = ${'id'}
    ) AS stored
    CROSS JOIN LATERAL jsonb_path_query(document, 'strict $.** ? (@ like_regex "@")') AS text (value)`;

const FIGURES_OF_READINGS = fragment`
  jsonb_agg(jsonb_build_object('reading_date', value->'reading_date', 'reading_at', value->'reading_at', 'reading_value', value->'reading_value',
    'billed', value->'billed') ORDER BY position)`;

/**
 * What stays of a meter: named one by one, so that a new field goes unless it is added here. Texts go, even the name of
 * a register and the type of a reading: their sender may have written anything there.
 */
const FIGURES_OF_METER = fragment`
  jsonb_strip_nulls(jsonb_build_object(
    'installed_on', meter->'installed_on',
    'removed_on', meter->'removed_on',
    'is_prepay', meter->'is_prepay',
    'registers', (
      SELECT jsonb_agg(jsonb_build_object('number_of_digits', value->'number_of_digits', 'is_settlement',
        value->'is_settlement', 'last_billed_to_date', value->'last_billed_to_date', 'direction', value->'direction',
        'multiplier', value->'multiplier') ORDER BY position)
      FROM jsonb_array_elements(meter->'registers') WITH ORDINALITY AS register (value, position)
    ),
    'transfer_readings', (
      SELECT ${FIGURES_OF_READINGS}
      FROM jsonb_array_elements(meter->'transfer_readings') WITH ORDINALITY AS reading (value, position)
    ),
    'reading_history', (
      SELECT ${FIGURES_OF_READINGS}
      FROM jsonb_array_elements(meter->'reading_history') WITH ORDINALITY AS reading (value, position)
    )
  ))`;

/**
 * Everything that an erasure changes, except audit events, as one statement on locked rows. It clears everything that
 * describes a person: texts, names, contacts, external references, document paths, meter identifiers,
 * needs, debts and everything else in a document of details. Of the texts in the sender's own
 * vocabulary only codes of tariffs, products and the market stay. Amounts, dates,
 * types and identifying numbers stay, and so does every row. A new revision makes a concurrent import start again and
 * find the account erased. Its open refusals are resolved, because nothing is expected of it any more; they hold no
 * personal data, once what a refused line was to bring is forgotten, and their fields are kinds: in a name that its sender
 * has made up there may be a name of a person.
 */
export const ERASE_ACCOUNT = sql('erase-account')`
  WITH import AS (
    UPDATE account_imports
    SET
      payload = NULL,
      kept_fields = NULL,
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
      supply_address5 = NULL, supply_postcode = '[erased]', details = '{}'
    WHERE account_import_id = ${'id'}
  ),
  meter_point AS (
    UPDATE meter_points
    SET identifier = NULL, details = '{}', meters = coalesce((
        SELECT jsonb_agg(${FIGURES_OF_METER} ORDER BY position)
        FROM jsonb_array_elements(meters) WITH ORDINALITY AS element (meter, position)
      ), '[]')
    WHERE account_import_id = ${'id'}
  ),
  occupancy AS (
    DELETE FROM meter_point_occupancies
    WHERE account_import_id = ${'id'}
  ),
  payment_schedule AS (
    UPDATE payment_schedules
    SET frequency = NULL, details = CASE details->>'day_of_month' WHEN 'LAST' THEN '{"day_of_month": "LAST"}' ELSE '{}' END::jsonb
    WHERE account_import_id = ${'id'}
  ),
  note AS (
    UPDATE notes
    SET body = '[erased]', document_paths = '{}', external_id = NULL
    WHERE account_import_id = ${'id'}
  ),
  money AS (
    UPDATE transactions
    SET display_note = NULL, note = NULL, reference = NULL, supply_point_identifier = NULL,
      to_prepay_meter_serial_number = NULL
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
  superseded AS (
    UPDATE superseded_payment_instructions
    SET reference = '[erased]', details = '{}'
    WHERE account_import_id = ${'id'}
  ),
  kept AS (
    UPDATE kept_fields
    SET fields = '[]'
    WHERE account_import_id = ${'id'}
  ),
  email AS (
    UPDATE customer_emails
    SET
      address = NULL,
      answer = NULL,
      state = CASE state WHEN 'QUEUED' THEN 'NOT_SENT' ELSE state END,
      reason = CASE state WHEN 'QUEUED' THEN 'ERASED' ELSE reason END,
      next_attempt_at = NULL,
      updated_at = CASE state WHEN 'QUEUED' THEN ${'at'} ELSE updated_at END
    WHERE account_import_id = ${'id'}
  ),
  suppression AS (
    UPDATE email_suppressions
    SET address = NULL
    WHERE address_digest IN (
      SELECT sha256(convert_to(address, 'UTF8'))
      FROM (${ADDRESSES}) AS known (address)
    )
  ),
  answer AS (
    DELETE FROM idempotency_keys
    WHERE account_import_id = ${'id'}
  ),
  refusal AS (
    UPDATE account_import_refusals
    SET
      resolved_at = coalesce(resolved_at, ${'at'}),
      errors = coalesce((
        SELECT jsonb_agg(jsonb_build_object('code', split_part(problem, ' ', 1), 'attr', split_part(problem, ' ', 2)))
        FROM unnest(problems) AS problem
        WHERE errors <> '[]'
      ), '[]'),
      detail = CASE WHEN reported <> '' THEN detail END,
      lacking = CASE operation WHEN 'line' THEN '{}'::jsonb END
    WHERE account_import_id = ${'id'}
  )
  INSERT INTO audit_events ${AUDITED} 'account_import', 'erased', jsonb_build_object('reason', ${'reason'}::text)`;

/**
 * Runs again after the erasure has committed: a repeat that changes nothing waits for no lock, and may have kept what
 * it read after the erasing statement had begun. Any such repeat had claimed its key before, and without a valid claim
 * it keeps no answer.
 */
export const FORGET_ANSWERS = sql('forget-answers-about-account')`
  DELETE FROM idempotency_keys
  WHERE account_import_id = ${'id'}`;
