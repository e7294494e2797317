import { isJsonObject, type JsonObject, type PaymentVendor } from '../shared/payment-vendor.ts';
import type { VendorConnection } from './ask-vendor.ts';
import { httpVendor } from './http-vendor.ts';
import { STRIPE_BASE_URL, stripeVendor } from './stripe-vendor.ts';

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
