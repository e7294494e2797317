import type { Remark } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import type { Actor } from './actor.ts';
import type { ImportSupplierDirectory } from './find-import-supplier.ts';
import type { PaymentVendor } from './payment-vendor.ts';

/** What the use cases need from their environment; created once, by the service. */
export interface Dependencies {
  database: Database;
  clock: () => Date;
  /** IANA name; a day begins and ends here (open statement periods). */
  timeZone: string;
  /** First part of every document's full location. */
  documentBucket: string;
  importSuppliers: ImportSupplierDirectory;
  /** The configured vendors, by name. */
  paymentVendors: ReadonlyMap<string, PaymentVendor>;
  bulk: BulkSettings;
  /** Whether there is a mail server: otherwise e-mails to customers cannot be switched on. */
  sendsEmails?: boolean | undefined;
}

/** How long, and how much, of bulk jobs is stored. */
export interface BulkSettings {
  /** Days from the end of a job to the removal of its lines and results. */
  filesDays: number;
  /** The limit for all lines that are stored. */
  maxStoredBytes: number;
}

/** What one call of a use case needs: its environment, the caller, and the request. */
export interface Context extends Dependencies {
  actor: Actor;
  /** The service's own id of the request: no two have the same. */
  requestId: string;
  /** The caller's X-Request-Id, if it sent a valid one. */
  callerRequestId?: string | undefined;
  /** The undocumented fields of the call, if its import supplier's are kept: JSON, as `fieldsToKeep` writes it. */
  undocumented?: string | undefined;
  /** What is doubtful about the call's request and accepted (behaviour 4.18). */
  remarks?: readonly Remark[] | undefined;
  /** Waits for an external call (to a vendor) without holding a place meanwhile. */
  waitOutside?: (<T>(wait: () => Promise<T>) => Promise<T>) | undefined;
  /** Resolves when it is this call's turn to keep the event loop for long. */
  waitForTurn?: (() => Promise<void>) | undefined;
  /** Set within a transaction of the request: does what must not be done while one is open. */
  outsideTransaction?: OutsideTransaction | undefined;
  /** From now on the call counts as one with a large body, and waits for its turn among those. */
  countAsLarge?: (() => Promise<void>) | undefined;
  /** Set if a failure rolls the whole call back: takes the work to do anyway, outside the transaction. */
  ifUndone?: ((write: (outside: Context) => Promise<void>) => void) | undefined;
}

/**
 * The result of `work`, which is done while no transaction is open: the one around the call is rolled back, and the
 * call is done again from its beginning with the result, by which it asks under the same `key`.
 */
export type OutsideTransaction = <T>(key: string, work: (outside: Context) => Promise<T>) => Promise<T>;
