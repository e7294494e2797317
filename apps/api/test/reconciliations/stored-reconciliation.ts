import { randomUUID } from 'node:crypto';
import type { Database, ReconciliationVerdict } from '@causeway/db';
import type { TestSupplier } from '../support/test-supplier.ts';

export interface StoredReconciliation {
  verdict?: ReconciliationVerdict;
  manifestState?: 'SEALED' | 'WITHDRAWN';
  finishedAt?: Date;
  different?: number;
}

/** Puts a finished reconciliation with its manifest into the database, as the lanes leave it; its id. */
export async function insertReconciliation(
  database: Database,
  { code }: Pick<TestSupplier, 'code'>,
  { verdict = 'EQUAL', manifestState = 'SEALED', finishedAt = new Date(), different = 0 }: StoredReconciliation = {},
): Promise<string> {
  const { prisma } = database;
  const { id: key } = await prisma.apiKey.findFirstOrThrow({ where: { organisation_id: null } });
  const [manifest_id, id] = [randomUUID(), randomUUID()];
  const created = { import_supplier_code: code, created_by: key, created_at: finishedAt };
  const totals = { accounts: 3, transactions: 7, transactions_sum: '104.88' };
  await prisma.manifest.create({
    data: {
      ...created,
      ...{ id: manifest_id, source_system: 'Gentrack', as_of: finishedAt, totals, accounts: 3 },
      ...{ computed_from_book: false, lodged_before_load: true, digest: Buffer.alloc(32, 7) },
      ...{ state: manifestState, sealed_by: key, sealed_at: finishedAt },
      ...(manifestState === 'WITHDRAWN' && { withdrawn_at: finishedAt }),
    },
  });
  await prisma.reconciliation.create({
    data: {
      ...created,
      ...{ id, manifest_id, state: 'FINISHED', verdict, started_at: finishedAt, finished_at: finishedAt },
      ...{ expected: totals, actual: totals, covered: {}, missing: 0, extra: 0, not_created: 0, skipped: 0 },
      ...{ different, differences: BigInt(different), differences_digest: Buffer.alloc(32, 9), moved_ranges: 0 },
    },
  });
  return id;
}
