import type { ImportPaymentInstructionRequest, ImportPaymentInstructionResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { accountCalls, importIntoAccount, SEEN_ACCOUNT, type SeenAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS, AUDIT_FIELDS } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { groupedStatement } from '../grouped-statement.ts';
import { askInTurn } from '../payment-vendors/ask-in-turn.ts';
import type { PaymentInstructionDetails, PaymentVendor } from '../payment-vendors/payment-vendor.ts';

// Never clear: it writes only after the vendor was asked, on the revision that was seen before.
const importInstructionsTogether = groupedStatement<AccountWithPaymentInstruction>(
  statement(
    'import-payment-instruction',
    `WITH ${accountCalls({
      values: 'vendor text, reference text, type text, details jsonb',
      stored: `SELECT json_build_object('vendor', active.vendor, 'reference', active.reference, 'type', active.type)
      FROM payment_instructions active WHERE active.account_import_id = input.id`,
      clear: 'false',
    })},
  added AS (
    INSERT INTO payment_instructions (account_import_id, vendor, reference, type, details, created_at)
    SELECT id, vendor, reference, type, details, at FROM claimed
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_FIELDS}, 'account_import', 'payment_instruction_imported', jsonb_build_object('vendor', vendor)
    FROM claimed
  )
  SELECT ${SEEN_ACCOUNT}, service_account_number, stored FROM found`,
  ),
);

interface AccountWithPaymentInstruction extends SeenAccount {
  service_account_number: string;
  stored: { vendor: string; reference: string; type: string } | null;
}

/**
 * Stores the account's payment instruction with the details its vendor gives of it (specification 4.7). The vendor is
 * asked while no database transaction is open. The same instruction again gets the same answer, without asking.
 * Refuses with `import_supplier_does_not_exist`, `account_not_found`, `payment_instruction_already_active`,
 * `payment_vendor_rejected` (do not retry), `payment_vendor_unavailable` (retry as it is), and `service_unavailable` where
 * the organisation waits for too many answers of this vendor.
 */
export async function importPaymentInstruction(
  context: Context,
  request: ImportPaymentInstructionRequest,
): Promise<ImportPaymentInstructionResponse> {
  const { vendor, reference, type } = request;
  const paymentVendor = configuredVendor(context, vendor);
  let details: PaymentInstructionDetails | undefined;
  return importIntoAccount(context, request, {
    write: importInstructionsTogether,
    async decide(account?: AccountWithPaymentInstruction) {
      const { service_account_number = '', stored: active = null } = account ?? {};
      if (active !== null && (active.vendor !== vendor || active.reference !== reference || active.type !== type)) {
        const detail = 'The account has another payment instruction, which is active.';
        throw new DomainError('payment_instruction_already_active', detail, { attr: 'reference' });
      }
      if (account !== undefined && active === null) {
        details ??= await askInTurn(context, paymentVendor, () => paymentVendor.fetchInstruction(reference, type));
      }
      const values = { vendor, reference, type, details: details ?? {} };
      return { result: { service_account_number, reference }, unchanged: active !== null, values };
    },
  });
}

function configuredVendor(context: Context, name: string): PaymentVendor {
  const vendor = context.paymentVendors.get(name);
  if (vendor === undefined) {
    const detail = 'No payment vendor of this name is configured: ask the service team which ones are.';
    throw new DomainError('request_failed_validation', 'The request failed validation.', {
      errors: [{ detail, code: 'invalid_choice', attr: 'vendor' }],
    });
  }
  return vendor;
}
