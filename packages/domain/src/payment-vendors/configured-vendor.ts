import type { FieldError } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { PaymentVendor } from './payment-vendor.ts';

/** The vendor of this name; refuses with the field `attr` if none is configured. */
export function configuredVendor({ paymentVendors }: Context, name: string, attr = 'vendor'): PaymentVendor {
  const vendor = paymentVendors.get(name);
  if (vendor === undefined) {
    throw new DomainError('request_failed_validation', 'The request failed validation.', {
      errors: [unknownVendor(attr)],
    });
  }
  return vendor;
}

/** The fault of a vendor's name that nobody has configured. */
export function unknownVendor(attr: string): FieldError {
  const detail = 'No payment vendor of this name is configured: ask the service team which ones are.';
  return { detail, code: 'invalid_choice', attr };
}
