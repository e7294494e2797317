import { isDeepStrictEqual } from 'node:util';
import { ListManifestsResponse, Manifest, type ManifestRecord } from '@causeway/contracts';
import type { RestClient } from '@causeway/rest-client';
import { bodyOf, unexpected } from '../answers.ts';
import type { ManifestOfBook } from './manifest-of-book.ts';

export interface ManifestContext {
  client: Pick<RestClient, 'get' | 'post' | 'put'>;
  importSupplier: string;
}

/** A sealed manifest, and whether it was lodged just now. */
export interface LodgedManifest {
  manifest: ManifestRecord;
  isNew: boolean;
}

const SOURCE = 'Harbour & Vale billing';
const HEADERS = { 'content-type': 'application/x-ndjson', 'content-encoding': 'zstd' };

/**
 * Lodges what the source has: totals, lines and the seal (behaviour 22). When the demo is run again, the manifest of
 * the first time is still there; those of other books, and those that were not finished, are withdrawn.
 */
export async function lodgeManifest(
  context: ManifestContext,
  { totals, parts }: Pick<ManifestOfBook, 'totals' | 'parts'>,
  bookDate: string,
): Promise<LodgedManifest> {
  const { client, importSupplier: import_supplier } = context;
  const known = await findManifest(context, totals);
  if (known !== undefined) return { manifest: known, isNew: false };
  const request = { import_supplier, source_system: SOURCE, as_of: `${bookDate}T00:00:00Z`, totals };
  const { id } = bodyOf(await client.post('manifests/', request), 201, Manifest);
  for (const [index, bytes] of parts.entries()) {
    const answer = await client.put(`manifests/${id}/parts/${index + 1}/`, bytes, HEADERS);
    if (answer.status !== 201 && answer.status !== 200) throw unexpected(answer);
  }
  return { manifest: bodyOf(await client.post(`manifests/${id}/seal/`, {}), 200, Manifest), isNew: true };
}

async function findManifest(
  { client, importSupplier }: ManifestContext,
  totals: ManifestOfBook['totals'],
): Promise<ManifestRecord | undefined> {
  const listed = bodyOf(await client.get(`manifests/?import_supplier=${importSupplier}`), 200, ListManifestsResponse);
  const ours = listed.filter(({ source_system, state }) => source_system === SOURCE && state !== 'WITHDRAWN');
  const isThis = (one: ManifestRecord) => one.state === 'SEALED' && isDeepStrictEqual(one.totals, totals);
  for (const { id } of ours.filter((one) => !isThis(one))) {
    bodyOf(await client.post(`manifests/${id}/withdraw/`, {}), 200, Manifest);
  }
  return ours.find(isThis);
}
