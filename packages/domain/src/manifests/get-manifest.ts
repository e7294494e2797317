import type { Manifest, ManifestRecord, ManifestRequest } from '@causeway/contracts';
import type { Queryable, RowOf } from '@causeway/db';
import type { Context } from '../context.ts';
import { utcDatetime, utcDatetimeOrNull } from '../dates.ts';
import { findManifest } from './find-manifest.ts';
import { COUNT_MANIFEST_PARTS, type ManifestRow } from './manifest.sql.ts';

/** A manifest and what was received of it (behaviour 22.4). Refuses with `manifest_does_not_exist`. */
export async function getManifest(context: Context, { manifest_id }: ManifestRequest): Promise<Manifest> {
  const row = await findManifest(context, manifest_id);
  const { parts, lines, missing } = await receivedParts(context.database, row.id);
  return { ...manifestRecord(row), parts, missing_parts: missing, lines };
}

export async function receivedParts(database: Queryable, id: string): Promise<RowOf<typeof COUNT_MANIFEST_PARTS>> {
  const [received = { parts: 0, lines: 0, missing: [] }] = await database.query(COUNT_MANIFEST_PARTS, { id });
  return received;
}

/** A manifest as a list has it. */
export function manifestRecord(row: ManifestRow): ManifestRecord {
  return {
    id: row.id,
    import_supplier: row.import_supplier_code,
    source_system: row.source_system,
    as_of: utcDatetime(row.as_of),
    state: row.state,
    totals: row.totals,
    computed_from_book: row.computed_from_book,
    lodged_before_load: row.lodged_before_load,
    digest: row.digest,
    created_at: utcDatetime(row.created_at),
    sealed_at: utcDatetimeOrNull(row.sealed_at),
    lodged_by: lodgedBy(row),
    withdrawn_at: utcDatetimeOrNull(row.withdrawn_at),
    withdrawn_reason: row.withdrawn_reason,
  };
}

function lodgedBy({ sealer_label, sealer_person, sealed_by_staff }: ManifestRow): ManifestRecord['lodged_by'] {
  if (sealer_label === null) return null;
  return { kind: sealed_by_staff ? 'staff' : 'supplier', api_key_label: sealer_label, person: sealer_person };
}
