import type { ImportPaymentInstructionRequest, ImportPaymentInstructionResponse } from '@causeway/contracts';
import { fragment, narrow, type RowOf, sql } from '@causeway/db';
import { importIntoAccount } from '../imports/import.ts';
import { accountCalls, SEEN_ACCOUNT_COLUMNS, seenAccount } from '../imports/statement.sql.ts';
import { askInTurn, configuredVendor } from '../payment-vendors/ask-in-turn.ts';
import { reportItems } from '../refusals/report-remarks.ts';
import { AUDITED_CALL } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import type { PaymentInstructionDetails } from '../shared/payment-vendor.ts';
import { decideInstruction, type StoredInstruction } from './decide-instruction.ts';

const STORED = fragment`
      SELECT json_agg(one ORDER BY id)
      FROM (
        SELECT vendor, reference, type, false AS is_superseded, NULL::bigint AS id
        FROM payment_instructions
        WHERE account_import_id = input.id
        UNION ALL
        SELECT vendor, reference, type, true, id
        FROM superseded_payment_instructions
        WHERE account_import_id = input.id
      ) AS one`;

/** Stores the payment instruction of each call; `stored` are those that the account has and had, in their order. */
const IMPORT_PAYMENT_INSTRUCTION = sql('import-payment-instruction', {
  ...SEEN_ACCOUNT_COLUMNS,
  service_account_number: 'text',
  stored: narrow<StoredInstruction[] | null>('json | null'),
})`
  WITH ${accountCalls({
    operation: 'payment_instruction',
    values: fragment`vendor text, reference text, type text, supersedes text, details jsonb`,
    stored: STORED,
    // Writes only after the vendor was called, conditional on the revision that was read before.
    mayWriteUnseen: fragment`false`,
  })},
  former AS (
    SELECT claimed.id, former.vendor, former.reference, former.type, former.details, former.created_at, at
    FROM claimed
    JOIN payment_instructions AS former ON former.account_import_id = claimed.id AND former.type = claimed.type
    WHERE supersedes IS NOT NULL
  ),
  kept_former AS (
    INSERT INTO superseded_payment_instructions (account_import_id, vendor, reference, type, details, created_at, superseded_at)
    SELECT *
    FROM former
  ),
  replaced AS (
    UPDATE payment_instructions AS active
    SET vendor = claimed.vendor, reference = claimed.reference, details = claimed.details, created_at = at
    FROM claimed
    WHERE active.account_import_id = ANY (ARRAY(SELECT id FROM claimed))
      AND active.account_import_id = claimed.id
      AND active.type = claimed.type
      AND supersedes IS NOT NULL
  ),
  added AS (
    INSERT INTO payment_instructions (account_import_id, vendor, reference, type, details, created_at)
    SELECT id, vendor, reference, type, details, at
    FROM claimed
    WHERE supersedes IS NULL
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED_CALL} 'account_import', 'payment_instruction_imported',
      json_strip_nulls(json_build_object('vendor', vendor, 'superseded_type', CASE WHEN supersedes IS NOT NULL THEN type END,
        'superseded_vendor', (SELECT former.vendor FROM former WHERE former.id = claimed.id)))
    FROM claimed
  )
  SELECT ${seenAccount('payment_instruction', fragment`ARRAY[type]`)}, service_account_number, stored
  FROM found`;

type AccountWithPaymentInstruction = RowOf<typeof IMPORT_PAYMENT_INSTRUCTION>;

const importInstructionsTogether = groupedStatement(IMPORT_PAYMENT_INSTRUCTION);

/**
 * Stores a payment instruction of the account, one of each type, with the details that its vendor returns (behaviour 4.7). The vendor is
 * called while no database transaction is open, by a dry run too: its confirmation is a read. The same instruction
 * again gets the same answer without a call. One that `supersedes` the active one takes its place, once: the former one
 * is kept, and never active again. Refuses with `import_supplier_does_not_exist`, `account_not_found`,
 * `payment_instruction_already_active`, `payment_instruction_superseded`, `supersedes_no_active_instruction`,
 * `payment_vendor_rejected` (do not retry), `payment_vendor_unavailable` (retry unchanged), and `service_unavailable` if
 * the organisation is waiting for too many answers of this vendor.
 */
export async function importPaymentInstruction(
  context: Context,
  request: ImportPaymentInstructionRequest,
): Promise<ImportPaymentInstructionResponse> {
  const { vendor, reference, type, supersedes = null } = request;
  const paymentVendor = configuredVendor(context, vendor);
  let details: PaymentInstructionDetails | undefined;
  return importIntoAccount(context, request, {
    operation: 'payment_instruction',
    write: importInstructionsTogether,
    async ask({ stored }) {
      const { isStored, refusal } = decideInstruction(request, stored ?? []);
      if (isStored || refusal !== undefined) return;
      details ??= await askInTurn(context, paymentVendor, () => paymentVendor.fetchInstruction(reference, type));
    },
    decide(account?: AccountWithPaymentInstruction) {
      // Without an account, nothing is written: the first statement only reads.
      const { isStored, refusal } =
        account === undefined ? { isStored: false } : decideInstruction(request, account.stored ?? []);
      if (refusal !== undefined) throw refusal;
      const { service_account_number = '' } = account ?? {};
      const values = { vendor, reference, type, supersedes, details: details ?? {} };
      return { result: { service_account_number, reference }, unchanged: isStored, values };
    },
    report() {
      const item = { identifier: type, isKnown: false, isReplacement: supersedes !== null };
      return reportItems('payment_instruction', [item], context.remarks);
    },
  });
}
