import type { ImportPaymentInstructionRequest, ImportPaymentInstructionResponse } from '@causeway/contracts';
import { importIntoAccount } from '../accounts/import-into-account.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { askInTurn } from '../payment-vendors/ask-in-turn.ts';
import { configuredVendor } from '../payment-vendors/configured-vendor.ts';
import type { PaymentInstructionDetails } from '../payment-vendors/payment-vendor.ts';
import { type AccountWithPaymentInstruction, IMPORT_PAYMENT_INSTRUCTION } from './import-payment-instruction.sql.ts';

const importInstructionsTogether = groupedStatement(IMPORT_PAYMENT_INSTRUCTION);

/**
 * Stores the account's payment instruction with the details that its vendor returns (behaviour 4.7). The vendor is
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
    async ask({ stored: active }) {
      if (active !== null) return;
      details ??= await askInTurn(context, paymentVendor, () => paymentVendor.fetchInstruction(reference, type));
    },
    decide(account?: AccountWithPaymentInstruction) {
      const { service_account_number = '', stored: active = null } = account ?? {};
      if (active !== null && (active.vendor !== vendor || active.reference !== reference || active.type !== type)) {
        const detail = 'The account has another payment instruction, which is active.';
        throw new DomainError('payment_instruction_already_active', detail, { attr: 'reference' });
      }
      const values = { vendor, reference, type, details: details ?? {} };
      return { result: { service_account_number, reference }, unchanged: active !== null, values };
    },
  });
}
