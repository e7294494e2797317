import { stripeVendor } from '../../src/payment-vendors/configure-payment-vendors.ts';
import { httpVendor } from '../../src/payment-vendors/http-vendor.ts';
import {
  type PaymentInstructionDetails,
  type PaymentVendor,
  VendorRejected,
  VendorUnavailable,
} from '../../src/shared/payment-vendor.ts';

export const secret = 'sk_test_never_shown';
// A minute: a test of another limit would wait longer than it may, and fail.
const defaults = { secret, timeLimitMs: 60_000 };
export const card = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031, funding: 'debit', country: 'GB' };

interface TestedVendor {
  kind: string;
  connect(connection: { baseUrl: string; timeLimitMs?: number; secret?: string }): PaymentVendor;
  path: string;
  answer(reference: string): Record<string, unknown>;
  details(reference: string): PaymentInstructionDetails;
}

/** Both implementations, and what each one's server says of a card that can be used. */
export const testedVendors: TestedVendor[] = [
  {
    kind: 'http',
    connect: (connection) => httpVendor({ ...defaults, name: 'ACME', ...connection }),
    path: '/payment-instructions',
    answer: (reference) => ({
      reference,
      type: 'CARD',
      status: 'ACTIVE',
      details: { ...card, number: '4242424242424242' },
    }),
    details: () => card,
  },
  {
    kind: 'stripe',
    connect: (connection) => stripeVendor({ ...defaults, name: 'STRIPE', ...connection }),
    path: '/v1/payment_methods',
    answer: (reference) => ({
      id: reference,
      object: 'payment_method',
      type: 'card',
      card: { ...card, fingerprint: 'f', networks: { available: ['visa'] } },
      billing_details: { name: 'Zoë Müller' },
      customer: null,
    }),
    details: (reference) => ({ payment_method: reference, ...card }),
  },
];

/** What the caller and the log would see of a failed call. */
export async function failureOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof VendorRejected || error instanceof VendorUnavailable)) {
    throw new Error('The call was to fail as a vendor does.', { cause: error });
  }
  const problem = error.cause instanceof Error ? error.cause.message : '';
  const severity = error instanceof VendorUnavailable ? error.severity : undefined;
  return { code: error.code, attr: error.errors[0]?.attr, severity, problem, detail: error.message, error };
}
