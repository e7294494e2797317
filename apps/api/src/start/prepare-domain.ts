import type { Database } from '@causeway/db';
import { createImportSupplierDirectory, paymentVendorsFrom } from '@causeway/domain';
import { openTemplateRenderer } from '../emails/open-template-renderer.ts';
import { observedVendors } from '../observability/observe-vendors.ts';
import { startSandboxVendor } from '../sandbox/sandbox-vendor.ts';
import type { Start } from './start.ts';

/** What the use cases need from this process. */
export async function prepareDomain(start: Start, database: Database) {
  const { environment, clock } = start;
  return {
    database,
    clock,
    timeZone: environment.timeZone,
    documentBucket: environment.documentBucket,
    bulk: environment.bulk,
    sendsEmails: environment.emails !== undefined,
    // Only to try texts: one after the other, so that those that never end take one processor at most.
    templates: openTemplateRenderer({ threads: 1 }),
    importSuppliers: createImportSupplierDirectory(database, clock),
    paymentVendors: observedVendors(await connectPaymentVendors(start), start),
  };
}

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
