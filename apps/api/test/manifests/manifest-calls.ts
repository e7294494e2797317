import type { Manifest } from '@causeway/contracts';
import { type FileAnswer, fileCall, NDJSON_TYPE } from '../bulk/bulk-calls.ts';
import type { TestSupplier } from '../support/test-service.ts';

/** Creates a manifest; its id. */
export async function createManifest(
  supplier: TestSupplier,
  totals: object = { accounts: 1 },
  fields: object = {},
): Promise<string> {
  const { status, body } = await supplier.post('manifests/', {
    import_supplier: supplier.code,
    source_system: 'Harbour billing',
    as_of: '2026-04-16T22:00:00Z',
    totals,
    ...fields,
  });
  if (status !== 201) throw new Error(`Creating a manifest answered ${status}: ${JSON.stringify(body)}`);
  return body.id;
}

/** Uploads a part. */
export function putPart(
  supplier: Pick<TestSupplier, 'url' | 'token'>,
  { id, number = 1, headers = {} }: { id: string; number?: number | string; headers?: Record<string, string> },
  bytes: Uint8Array,
): Promise<FileAnswer> {
  return fileCall(supplier, `manifests/${id}/parts/${number}/`, {
    method: 'PUT',
    headers: { ...NDJSON_TYPE, ...headers },
    body: bytes as NonNullable<RequestInit['body']>,
  });
}

export async function readManifest(supplier: TestSupplier, id: string): Promise<Manifest> {
  return (await supplier.get(`manifests/${id}/`)).body;
}

export const seal = (supplier: TestSupplier, id: string) => supplier.post(`manifests/${id}/seal/`, {});
export const withdraw = (supplier: TestSupplier, id: string) => supplier.post(`manifests/${id}/withdraw/`, {});
