import type { VendorConnection } from './ask-vendor.ts';
import { httpVendor } from './http-vendor.ts';
import type { PaymentVendor } from './payment-vendor.ts';
import type { VendorSettings } from './read-vendor-settings.ts';
import { stripeVendor } from './stripe-vendor.ts';

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
