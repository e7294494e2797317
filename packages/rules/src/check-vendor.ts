import { type FieldError, ImportPaymentInstructionRequest, sentHistory } from '@causeway/contracts';

/** The payment vendors that are configured, by name. */
export interface PaymentVendorNames {
  has: (name: string) => boolean;
}

/** The faults of the vendors that an account's payment instructions name, if nobody has configured them (behaviour 4.17.6). */
export function checkVendor(payload: unknown, paymentVendors: PaymentVendorNames): FieldError[] {
  return sentHistory(payload).payment_instructions.flatMap(({ path, sent }) => {
    const { data: vendor } = ImportPaymentInstructionRequest.shape.vendor.safeParse(sent.vendor);
    return vendor === undefined || paymentVendors.has(vendor) ? [] : unknownVendor(`${path}.vendor`);
  });
}

/** The fault of a vendor's name that nobody has configured. */
export function unknownVendor(attr: string): FieldError {
  const detail = 'No payment vendor of this name is configured: ask the service team which ones are.';
  return { detail, code: 'invalid_choice', attr };
}
