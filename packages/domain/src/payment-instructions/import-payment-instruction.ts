import {
  type ImportPaymentInstructionRequest,
  type ImportPaymentInstructionResponse,
  LIMITS,
} from '@causeway/contracts';
import { importIntoAccount } from '../accounts/import-into-account.ts';
import type { Context } from '../context.ts';
import { DomainError, invalidField } from '../errors.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { askInTurn } from '../payment-vendors/ask-in-turn.ts';
import { configuredVendor } from '../payment-vendors/configured-vendor.ts';
import type { PaymentInstructionDetails } from '../payment-vendors/payment-vendor.ts';
import { type AccountWithPaymentInstruction, IMPORT_PAYMENT_INSTRUCTION } from './import-payment-instruction.sql.ts';

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
  });
}

const isFull = (stored: readonly object[] | null | undefined) => (stored?.length ?? 0) >= LIMITS.payment_instructions;
