import { randomUUID } from 'node:crypto';
import type { Database } from '@causeway/db';
import type { DatabaseWithPrisma } from '@causeway/testing';
import type { Context } from '../../src/shared/context.ts';
import { createImportSupplierDirectory } from '../../src/shared/find-import-supplier.ts';

export const NOW = new Date('2026-03-02T08:00:00.250Z');

/** A call of the service team, at NOW unless the test moves `clock`. */
export function staffContext(database: Database, overrides: Partial<Context> = {}): Context {
  const clock = () => NOW;
  return {
    database,
    clock,
    timeZone: 'UTC',
    documentBucket: 'bucket',
    importSuppliers: createImportSupplierDirectory(database, clock),
    paymentVendors: new Map(),
    bulk: { filesDays: 30, maxStoredBytes: 1024 ** 3 },
    actor: { kind: 'staff', apiKeyId: randomUUID() },
    requestId: 'request-1',
    ...overrides,
  };
}

/** The audit trail of one subject, oldest first, as plain objects. */
export async function auditTrail(database: DatabaseWithPrisma, subject_id: string) {
  const rows = await database.prisma.auditEvent.findMany({ where: { subject_id }, orderBy: { id: 'asc' } });
  return rows.map(({ subject, action, actor, api_key_id, request_id, detail, occurred_at }) => ({
    subject,
    action,
    actor,
    api_key_id,
    request_id,
    detail,
    occurred_at,
  }));
}
