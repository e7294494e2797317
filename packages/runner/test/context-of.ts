import { randomUUID } from 'node:crypto';
import type { Database } from '@causeway/db';
import { type Context, createImportSupplierDirectory } from '@causeway/domain';

export const NOW = new Date('2026-03-02T08:00:00.250Z');

/** A call of the service team on this database, at NOW. */
export function contextOf(database: Database): Context {
  const clock = () => NOW;
  return {
    database,
    clock,
    timeZone: 'UTC',
    documentBucket: 'bucket',
    importSuppliers: createImportSupplierDirectory(database, clock),
    paymentVendors: new Map(),
    actor: { kind: 'staff', apiKeyId: randomUUID() },
    bulk: { filesDays: 30, maxStoredBytes: 1024 ** 3 },
    requestId: 'request-1',
  };
}
