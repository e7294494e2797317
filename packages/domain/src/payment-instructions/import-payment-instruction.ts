import type { ImportPaymentInstructionRequest, ImportPaymentInstructionResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { CLAIM_REVISION, FIND_ACCOUNT, importIntoAccount } from '../accounts/import-into-account.ts';
import { AUDIT_COLUMNS, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { PaymentInstructionDetails, PaymentVendor } from '../payment-vendors/payment-vendor.ts';

const READ_PAYMENT_INSTRUCTION = statement(
  'read-payment-instruction',
  `SELECT account.revision, account.service_account_number, (
    SELECT json_build_object('vendor', vendor, 'reference', reference, 'type', type)
    FROM payment_instructions WHERE account_import_id = $1
  ) AS active
  FROM ${FIND_ACCOUNT}`,
);

const WRITE_PAYMENT_INSTRUCTION = statement(
  'write-payment-instruction',
  `WITH ${CLAIM_REVISION},
  added AS (
    INSERT INTO payment_instructions (account_import_id, vendor, reference, type, details, created_at)
    SELECT account_import_id, $7, $8, $9, $10::jsonb, $5 FROM account
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT $1, $2, $3, $4, $5, 'account_import', 'payment_instruction_imported',
      jsonb_build_object('vendor', $7::text) FROM account
  )
  SELECT FROM account`,
);

interface AccountWithPaymentInstruction {
  revision: number;
  service_account_number: string;
  active: { vendor: string; reference: string; type: string } | null;
}

/**
 * Stores the account's payment instruction with the details its vendor gives of it (specification 4.7). The vendor is
 * asked while no database transaction is open. The same instruction again gets the same answer, without asking.
 * Refuses with `import_supplier_does_not_exist`, `account_not_found`, `payment_instruction_already_active`,
 * `payment_vendor_rejected` (do not retry) and `payment_vendor_unavailable` (retry as it is).
 */
export async function importPaymentInstruction(
  context: Context,
  request: ImportPaymentInstructionRequest,
): Promise<ImportPaymentInstructionResponse> {
  const { import_supplier, external_account_number, vendor, reference, type } = request;
  const paymentVendor = configuredVendor(context, vendor);
  let details: PaymentInstructionDetails | undefined;
  return importIntoAccount(context, request, {
    async read(id) {
      const values = [id, import_supplier, external_account_number];
      const [account] = await context.database.query<AccountWithPaymentInstruction>(READ_PAYMENT_INSTRUCTION, values);
      return account;
    },
    async write(id, { revision, service_account_number, active }) {
      const response = { service_account_number, reference };
      if (active !== null) {
        if (active.vendor === vendor && active.reference === reference && active.type === type) {
          return response;
        }
        throw new DomainError(
          'payment_instruction_already_active',
          'The account has another payment instruction, which is active.',
          { attr: 'reference' },
        );
      }
      details ??= await paymentVendor.fetchInstruction(reference, type);
      const values = [...auditValues(context, id), revision, vendor, reference, type, JSON.stringify(details)];
      const claimed = await context.database.query(WRITE_PAYMENT_INSTRUCTION, values);
      return claimed.length === 1 ? response : undefined;
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
