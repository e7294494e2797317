import { type FieldError, ImportPaymentInstructionRequest, sentHistory } from '@causeway/contracts';

/** The payment vendors that are configured, by name. */
export interface PaymentVendorNames {
  has: (name: string) => boolean;
}

/** The fault of the vendor that an account's payment instruction names, if nobody has configured it (behaviour 4.17.6). */
export function checkVendor(payload: unknown, paymentVendors: PaymentVendorNames): FieldError[] {
  const { payment_instruction, paths } = sentHistory(payload);
  const { data: vendor } = ImportPaymentInstructionRequest.shape.vendor.safeParse(payment_instruction.vendor);
  const isUnknown = vendor !== undefined && !paymentVendors.has(vendor);
  return isUnknown ? [unknownVendor(`${paths.payment_instruction}.vendor`)] : [];
}

/** The fault of a vendor's name that nobody has configured. */
export function unknownVendor(attr: string): FieldError {
  const detail = 'No payment vendor of this name is configured: ask the service team which ones are.';
  return { detail, code: 'invalid_choice', attr };
}
