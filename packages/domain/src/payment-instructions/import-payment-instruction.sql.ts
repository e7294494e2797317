import { fragment, narrow, type RowOf, sql } from '@causeway/db';
import { accountCalls, SEEN_ACCOUNT_COLUMNS, seenAccount } from '../accounts/import-into-account.sql.ts';
import { AUDIT_COLUMNS, AUDIT_FIELDS } from '../audit/audit.sql.ts';

const STORED = fragment`
      SELECT json_agg(json_build_object('vendor', active.vendor, 'reference', active.reference, 'type', active.type))
      FROM payment_instructions AS active
      WHERE active.account_import_id = input.id`;

/** Stores the payment instruction of each call; `stored` are those that the account has. */
export const IMPORT_PAYMENT_INSTRUCTION = sql('import-payment-instruction', {
  ...SEEN_ACCOUNT_COLUMNS,
  service_account_number: 'text',
  stored: narrow<{ vendor: string; reference: string; type: string }[] | null>('json | null'),
})`
  WITH ${accountCalls({
    operation: 'payment_instruction',
    values: fragment`vendor text, reference text, type text, details jsonb`,
    stored: STORED,
    // Writes only after the vendor was called, conditional on the revision that was read before.
    mayWriteUnseen: fragment`false`,
  })},
  added AS (
    INSERT INTO payment_instructions (account_import_id, vendor, reference, type, details, created_at)
    SELECT id, vendor, reference, type, details, at
    FROM claimed
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_FIELDS}, 'account_import', 'payment_instruction_imported', jsonb_build_object('vendor', vendor)
    FROM claimed
  )
  SELECT ${seenAccount('payment_instruction', fragment`ARRAY[type]`)}, service_account_number, stored
  FROM found`;

export type AccountWithPaymentInstruction = RowOf<typeof IMPORT_PAYMENT_INSTRUCTION>;
