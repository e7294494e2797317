import Stripe from 'stripe';
import {
  isJsonObject,
  type PaymentInstructionDetails,
  type PaymentVendor,
  readInstructionDetails,
  VendorRejected,
  VendorUnavailable,
} from '../shared/payment-vendor.ts';
import { askVendor, VENDOR_TIME_LIMIT_MS, type VendorConnection, vendorUnavailable } from './ask-vendor.ts';

export const STRIPE_BASE_URL = 'https://api.stripe.com';

/**
 * Stripe's payment methods, through Stripe's own library (behaviour 4.7). An instruction's
 * `reference` is the payment method's id and its `type` Stripe's in capitals (CARD, BACS_DEBIT, ...); another type is
 * rejected, and so is a card without its last four digits and expiry. Details: the id as `payment_method`, and what
 * `readInstructionDetails` picks.
 */
export function stripeVendor(connection: VendorConnection): PaymentVendor {
  const { name } = connection;
  const stripe = stripeClient(connection);
  return {
    name,
    async fetchInstruction(reference, type) {
      // The library encodes an id, but no encoding prevents a URL parser from resolving `..`.
      if (!/^[\w-]{1,255}$/.test(reference)) {
        throw new VendorRejected(`${name} has no payment instruction with this reference.`, `${name}: not asked`);
      }
      const paymentMethod = await stripe.paymentMethods.retrieve(reference).catch((error: unknown) => {
        throw failureOf(name, error);
      });
      if (paymentMethod.id !== reference) throw vendorUnavailable(name, 'answer about another payment method');
      return { payment_method: reference, ...detailsOf(name, type, paymentMethod) };
    },
  };
}

/**
 * The library on our own transport. Its own transport limits the silence between two packets but not the whole call,
 * repeats a reset request, follows redirects, treats a 500 without `error` as a success, and crashes the process on a
 * body of `true`.
 */
function stripeClient(connection: VendorConnection): Stripe {
  const { name, baseUrl, secret, timeLimitMs = VENDOR_TIME_LIMIT_MS, traceHeaders } = connection;
  const ask = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    const url = `${baseUrl.replace(/\/+$/, '')}${pathname}${search}`;
    const headers = init?.headers ?? {};
    return Response.json(await askVendor({ vendor: name, url, headers, timeLimitMs, traceHeaders }));
  };
  return new Stripe(secret, {
    httpClient: Stripe.createFetchHttpClient(ask),
    timeout: timeLimitMs,
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

/** The library wraps what our transport throws; its own complaints are about an answer it cannot read. */
function failureOf(vendor: string, error: unknown): VendorRejected | VendorUnavailable {
  const thrown = error instanceof Stripe.errors.StripeError ? error.detail : undefined;
  if (thrown instanceof VendorRejected || thrown instanceof VendorUnavailable) return thrown;
  return vendorUnavailable(vendor, 'answer that is no payment method');
}

function detailsOf(vendor: string, type: string, paymentMethod: Stripe.PaymentMethod): PaymentInstructionDetails {
  const stripeType: unknown = paymentMethod.type;
  if (typeof stripeType !== 'string') throw vendorUnavailable(vendor, 'answer without type');
  if (stripeType.toUpperCase() !== type) {
    const detail = `${vendor} has a payment instruction of another type with this reference.`;
    throw new VendorRejected(detail, `${vendor}: another type`, 'type');
  }
  const description = Object.entries(paymentMethod).find(([field]) => field === stripeType)?.[1] ?? {};
  const details = isJsonObject(description) ? readInstructionDetails(description) : undefined;
  if (details === undefined) throw vendorUnavailable(vendor, 'answer with malformed details');
  const required = type === 'CARD' ? ['last4', 'exp_month', 'exp_year'] : [];
  if (required.some((field) => details[field] === undefined)) {
    throw new VendorRejected(`${vendor} has no usable card with this reference.`, `${vendor}: card without details`);
  }
  return details;
}
