import { paymentVendorsFrom } from '@causeway/domain';
import { startSandboxVendor } from '../sandbox/sandbox-vendor.ts';
import type { Start } from './start.ts';

/** The configured vendors; a sandbox is started if one of them is it. */
export async function connectPaymentVendors({
  environment,
  closing,
  tracing,
}: Pick<Start, 'environment' | 'closing' | 'tracing'>) {
  const settings = environment.paymentVendors;
  const traceHeaders = tracing.beginRequest && tracing.headers;
  if (!settings.some(({ kind }) => kind === 'sandbox')) {
    return paymentVendorsFrom(settings, { traceHeaders });
  }
  const sandbox = await startSandboxVendor();
  closing.push(() => sandbox.close());
  return paymentVendorsFrom(settings, { traceHeaders, sandbox });
}
