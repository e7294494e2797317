import type { Database } from '@causeway/db';
import type { ImportSupplierDirectory } from './import-suppliers/find-import-supplier.ts';
import type { PaymentVendor } from './payment-vendors/payment-vendor.ts';

/** What the use cases need of the world; made once, by the service. */
export interface Dependencies {
  database: Database;
  clock: () => Date;
  /** IANA name; a day begins and ends here (open statement periods). */
  timeZone: string;
  /** First part of every document's full location. */
  documentBucket: string;
  importSuppliers: ImportSupplierDirectory;
  /** The configured vendors by the name a payment instruction gives. */
  paymentVendors: ReadonlyMap<string, PaymentVendor>;
}

/** Who is calling: an organisation's key or the service team's. */
export type Actor =
  | { kind: 'organisation'; apiKeyId: string; organisationId: string }
  | { kind: 'staff'; apiKeyId: string };

/** What one call of a use case needs: the world, who asks, and the request it came in. */
export interface Context extends Dependencies {
  actor: Actor;
  /** The service's own id of the request: no two have the same. */
  requestId: string;
  /** The X-Request-Id that the caller gave, if it gave a sane one. */
  callerRequestId?: string | undefined;
  /** How to wait for somebody else (a vendor), so that the call takes nobody's place meanwhile. */
  waitOutside?: (<T>(wait: () => Promise<T>) => Promise<T>) | undefined;
  /** Set where a failure undoes the whole call: names what is to be written all the same, outside of it. */
  ifUndone?: ((write: (outside: Context) => Promise<void>) => void) | undefined;
}
