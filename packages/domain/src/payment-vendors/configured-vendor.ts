import { unknownVendor } from '@causeway/rules';
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
