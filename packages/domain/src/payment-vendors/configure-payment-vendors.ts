import Stripe from 'stripe';
import {
  isJsonObject,
  type JsonObject,
  type PaymentInstructionDetails,
  type PaymentVendor,
  readInstructionDetails,
  VendorRejected,
  VendorUnavailable,
} from '../shared/payment-vendor.ts';
import { askVendor, VENDOR_TIME_LIMIT_MS, type VendorConnection, vendorUnavailable } from './ask-vendor.ts';
import { httpVendor } from './http-vendor.ts';

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

/**
 * Creates the vendors that `readVendorSettings` read, by their names (behaviour 4.7). SANDBOX is an HTTP vendor like
 * any other, at the address where the service serves it; throws an Error if that is missing. Each call has the
 * `traceHeaders` too.
 */
export function paymentVendorsFrom(
  settings: readonly VendorSettings[],
  options: VendorOptions = {},
): Map<string, PaymentVendor> {
  return new Map(settings.map((setting) => [setting.name, vendorFrom(setting, options)]));
}

interface VendorOptions extends Pick<VendorConnection, 'traceHeaders'> {
  sandbox?: { baseUrl: string; secret: string } | undefined;
}

function vendorFrom(setting: VendorSettings, { sandbox, traceHeaders }: VendorOptions): PaymentVendor {
  if (setting.kind === 'stripe') return stripeVendor({ ...setting, traceHeaders });
  if (setting.kind === 'http') return httpVendor({ ...setting, traceHeaders });
  if (sandbox === undefined) throw new Error('PAYMENT_VENDORS names SANDBOX, but no sandbox vendor was started.');
  return httpVendor({ name: setting.name, baseUrl: sandbox.baseUrl, secret: sandbox.secret, traceHeaders });
}

/** One configured vendor. SANDBOX has no address here: the service serves it itself. */
export type VendorSettings = { kind: 'sandbox'; name: 'SANDBOX' } | ({ kind: 'stripe' | 'http' } & VendorConnection);

const allowedFields = ['name', 'kind', 'base_url', 'secret'];

/**
 * Reads the environment variable PAYMENT_VENDORS (behaviour 4.7): empty, the word `SANDBOX`, or a JSON array of
 * vendors, which may also contain the string "SANDBOX":
 *
 *     [{"name": "STRIPE", "kind": "stripe", "secret": "sk_live_..."},
 *      {"name": "ACME", "kind": "http", "base_url": "https://payments.acme.example/v2", "secret": "..."}]
 *
 * `name` is what a payment instruction has in `vendor`: UPPER_SNAKE, at most 64 characters, unique. `kind` is stripe or
 * http (see httpVendor). `base_url` may be left out for stripe. Throws an Error that names the vendor and the problem,
 * and never quotes the value, because it contains secrets.
 */
export function readVendorSettings(setting: string | undefined): VendorSettings[] {
  const text = setting?.trim() ?? '';
  if (text === '') return [];
  const entries = text === 'SANDBOX' ? [text] : parseArray(text);
  const settings = entries.map((entry, index) => readVendor(entry, `vendor ${index + 1}`));
  const names = settings.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw badSetting(`the name ${repeated} is given twice`);
  return settings;
}

function parseArray(text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badSetting('it is neither the word SANDBOX nor valid JSON');
  }
  if (!Array.isArray(value)) throw badSetting('it must be the word SANDBOX or a JSON array of vendors');
  return value;
}

function readVendor(entry: unknown, where: string): VendorSettings {
  if (entry === 'SANDBOX') return { kind: 'sandbox', name: entry };
  if (!isJsonObject(entry)) throw badSetting(`${where} must be an object or the string "SANDBOX"`);
  if (Object.keys(entry).some((field) => !allowedFields.includes(field))) {
    throw badSetting(`${where} has a field other than ${allowedFields.join(', ')}`);
  }
  const { name, kind, secret } = entry;
  if (typeof name !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(name)) {
    throw badSetting(`${where}: name must be UPPER_SNAKE, 64 characters at most`);
  }
  const named = `${where} (${name})`;
  if (kind !== 'stripe' && kind !== 'http') throw badSetting(`${named}: kind must be "stripe" or "http"`);
  if (typeof secret !== 'string' || !/^[\x21-\x7e]{1,1024}$/.test(secret)) {
    throw badSetting(`${named}: secret must be 1 to 1024 visible ASCII characters`);
  }
  return { kind, name, secret, baseUrl: readBaseUrl(entry, kind, named) };
}

function readBaseUrl(entry: JsonObject, kind: 'stripe' | 'http', named: string): string {
  const given = entry.base_url ?? (kind === 'stripe' ? STRIPE_BASE_URL : undefined);
  const url = typeof given === 'string' ? URL.parse(given) : null;
  const plain =
    url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!plain) throw badSetting(`${named}: base_url must be an http or https URL without user, query or fragment`);
  return `${url.origin}${url.pathname}`;
}

function badSetting(problem: string): Error {
  return new Error(`PAYMENT_VENDORS cannot be read: ${problem}.`);
}
