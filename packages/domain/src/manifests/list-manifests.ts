import type { ListManifestsRequest, ManifestRecord } from '@causeway/contracts';
import type { Context } from '../shared/context.ts';
import { invalidField } from '../shared/errors.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { pageSize } from '../shared/list-page.ts';
import { manifestRecord, readManifest } from './get-manifest.ts';
import { LIST_MANIFESTS } from './manifest.sql.ts';

/**
 * One page of an import supplier's manifests, oldest first (behaviour 22.4): `limit` (default 1,000) after the manifest
 * `after`. No manifest ever appears in front of the end of a page. Refuses with `import_supplier_does_not_exist`, and
 * with `request_failed_validation` if `after` is none of them.
 */
export async function listManifests(
  context: Context,
  request: ListManifestsRequest,
): Promise<{ records: ManifestRecord[]; next?: { import_supplier: string; after: string } }> {
  const { import_supplier } = request;
  await findImportSupplier(context, import_supplier, 'import_supplier');
  const rows = await context.database.query(LIST_MANIFESTS, {
    import_supplier_code: import_supplier,
    after: await placeOf(context, request),
    limit: pageSize(request) + 1,
  });
  const records = rows.slice(0, pageSize(request)).map(manifestRecord);
  const last = records.at(-1);
  const isLast = last === undefined || records.length === rows.length;
  return isLast ? { records } : { records, next: { import_supplier, after: last.id } };
}

async function placeOf(context: Context, { import_supplier, after }: ListManifestsRequest): Promise<string> {
  if (after === undefined) return '0';
  const manifest = await readManifest(context, after);
  if (manifest?.import_supplier_code !== import_supplier) {
    throw invalidField('after', 'Must be the id of one of its manifests.');
  }
  return manifest.creation_order;
}
