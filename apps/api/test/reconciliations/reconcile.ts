import type { Reconciliation } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { putReconciliation } from '@causeway/testing';
import { ndjson } from '../bulk/bulk-calls.ts';
import { createManifest, putPart, seal } from '../manifests/manifest-calls.ts';
import { type TestSupplier, until } from '../support/test-service.ts';

/** Some lines of a manifest, and what it says of all of them. */
export interface Claims {
  lines: readonly { external_account_number: string; [figure: string]: unknown }[];
  /** Other than the number of the lines. */
  totals?: Record<string, unknown>;
}

/** Lodges a manifest and seals it; its id. */
export async function lodge(supplier: TestSupplier, { lines, totals }: Claims): Promise<string> {
  const id = await createManifest(supplier, { accounts: lines.length, ...totals });
  const part = await putPart(supplier, { id }, ndjson(lines));
  const sealed = await seal(supplier, id);
  if (sealed.status !== 200) throw new Error(`Not sealed: ${JSON.stringify([part.body, sealed.body])}`);
  return id;
}

/** Lodges a manifest and compares it with what is stored, which needs a lane: the reconciliation, FINISHED. */
export async function reconcile(supplier: TestSupplier, claims: Claims): Promise<Reconciliation> {
  const { status, body } = await supplier.post('reconciliations/', { manifest_id: await lodge(supplier, claims) });
  if (status !== 201) throw new Error(`Creating a reconciliation answered ${status}: ${JSON.stringify(body)}`);
  const read = async (): Promise<Reconciliation> => (await supplier.get(`reconciliations/${body.id}/`)).body;
  await until(async () => (await read()).state === 'FINISHED');
  return read();
}

/** A reconciliation of the manifest that no lane takes today; its id. */
export async function putOffReconciliation({ pool }: Database, manifestId: string): Promise<string> {
  const client = await pool.connect();
  try {
    const query = async (text: string, values: unknown[]) => (await client.query(text, values)).rows;
    await query('BEGIN', []);
    const id = await putReconciliation(query, manifestId, 1);
    await query(`UPDATE reconciliation_ranges SET not_before = now() + interval '1 day' WHERE reconciliation_id = $1`, [
      id,
    ]);
    await query('COMMIT', []);
    return id;
  } finally {
    client.release();
  }
}
