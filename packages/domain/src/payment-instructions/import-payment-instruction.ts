import {
  type ImportPaymentInstructionRequest,
  type ImportPaymentInstructionResponse,
  LIMITS,
} from '@causeway/contracts';
import { fragment, narrow, type RowOf, sql } from '@causeway/db';
import { importIntoAccount } from '../imports/import.ts';
import { accountCalls, SEEN_ACCOUNT_COLUMNS, seenAccount } from '../imports/statement.sql.ts';
import { askInTurn, configuredVendor } from '../payment-vendors/ask-in-turn.ts';
import { reportItems } from '../refusals/report-remarks.ts';
import { AUDITED_CALL } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { DomainError, invalidField } from '../shared/errors.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import type { PaymentInstructionDetails } from '../shared/payment-vendor.ts';

const STORED = fragment`
      SELECT json_agg(json_build_object('vendor', active.vendor, 'reference', active.reference, 'type', active.type))
      FROM payment_instructions AS active
      WHERE active.account_import_id = input.id`;

/** Stores the payment instruction of each call; `stored` are those that the account has. */
const IMPORT_PAYMENT_INSTRUCTION = sql('import-payment-instruction', {
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
    INSERT INTO audit_events ${AUDITED_CALL} 'account_import', 'payment_instruction_imported',
      jsonb_build_object('vendor', vendor)
    FROM claimed
  )
  SELECT ${seenAccount('payment_instruction', fragment`ARRAY[type]`)}, service_account_number, stored
  FROM found`;

type AccountWithPaymentInstruction = RowOf<typeof IMPORT_PAYMENT_INSTRUCTION>;

const importInstructionsTogether = groupedStatement(IMPORT_PAYMENT_INSTRUCTION);

/**
 * Stores a payment instruction of the account, one of each type, with the details that its vendor returns (behaviour 4.7). The vendor is
 * called while no database transaction is open, by a dry run too: its confirmation is a read. The same instruction
 * again gets the same answer without a call. Refuses with `import_supplier_does_not_exist`, `account_not_found`,
 * `payment_instruction_already_active`, `payment_vendor_rejected` (do not retry), `payment_vendor_unavailable` (retry
 * unchanged), and `service_unavailable` if the organisation is waiting for too many answers of this vendor.
 */
export async function importPaymentInstruction(
  context: Context,
  request: ImportPaymentInstructionRequest,
): Promise<ImportPaymentInstructionResponse> {
  const { vendor, reference, type } = request;
  const paymentVendor = configuredVendor(context, vendor);
  let details: PaymentInstructionDetails | undefined;
  return importIntoAccount(context, request, {
    operation: 'payment_instruction',
    write: importInstructionsTogether,
    async ask({ stored }) {
      if (stored?.some((one) => one.type === type) || isFull(stored)) return;
      details ??= await askInTurn(context, paymentVendor, () => paymentVendor.fetchInstruction(reference, type));
    },
    decide(account?: AccountWithPaymentInstruction) {
      const { service_account_number = '', stored } = account ?? {};
      const active = stored?.find((one) => one.type === type);
      if (active !== undefined && (active.vendor !== vendor || active.reference !== reference)) {
        const detail = `The account has another payment instruction of the type ${type}, which is active.`;
        throw new DomainError('payment_instruction_already_active', detail, { attr: 'reference' });
      }
      if (active === undefined && isFull(stored)) {
        const detail = `The account has payment instructions of ${LIMITS.payment_instructions} types, the maximum.`;
        throw invalidField('type', detail, 'max_items');
      }
      const values = { vendor, reference, type, details: details ?? {} };
      return { result: { service_account_number, reference }, unchanged: active !== undefined, values };
    },
    report: () => reportItems('payment_instruction', [{ identifier: type, isKnown: false }], context.remarks),
  });
}

const isFull = (stored: readonly object[] | null | undefined) => (stored?.length ?? 0) >= LIMITS.payment_instructions;
