import { type PaymentVendor, VendorRejected } from '@causeway/domain';
import type { Tracing } from './tracing.ts';
import type { WorkMetrics } from './work-metrics.ts';

/** Who is told of the calls. */
interface VendorObservers {
  work: Pick<WorkMetrics, 'countVendorCall'>;
  tracing: Pick<Tracing, 'askVendor'>;
}

/** The same vendors, whose calls are counted and traced. */
export function observedVendors(
  vendors: ReadonlyMap<string, PaymentVendor>,
  observers: VendorObservers,
): Map<string, PaymentVendor> {
  return new Map(Array.from(vendors, ([name, vendor]) => [name, observed(vendor, observers)]));
}

function observed(vendor: PaymentVendor, { work, tracing }: VendorObservers): PaymentVendor {
  const { name } = vendor;
  return {
    name,
    async fetchInstruction(reference, type) {
      const askedAt = performance.now();
      const seconds = () => (performance.now() - askedAt) / 1_000;
      try {
        const details = await tracing.askVendor(name, () => vendor.fetchInstruction(reference, type));
        work.countVendorCall(name, 'done', seconds());
        return details;
      } catch (error) {
        work.countVendorCall(name, error instanceof VendorRejected ? 'rejected' : 'unavailable', seconds());
        throw error;
      }
    },
  };
}
