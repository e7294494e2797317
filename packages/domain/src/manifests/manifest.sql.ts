import { LIMITS, type ManifestState, type ManifestTotals } from '@causeway/contracts';
import { fragment, narrow, type RowOf, rawSql, selectList, sql } from '@causeway/db';

const COLUMNS = {
  id: 'uuid',
  import_supplier_code: 'text',
  organisation_id: 'uuid',
  creation_order: 'bigint',
  source_system: 'text',
  as_of: 'timestamptz',
  state: narrow<ManifestState>('text'),
  totals: narrow<ManifestTotals>('jsonb'),
  computed_from_book: 'boolean',
  lodged_before_load: 'boolean | null',
  digest: 'text | null',
  created_at: 'timestamptz',
  sealed_at: 'timestamptz | null',
  withdrawn_at: 'timestamptz | null',
  withdrawn_reason: 'text | null',
  sealer_label: 'text | null',
  sealer_person: 'text | null',
  sealed_by_staff: 'boolean | null',
} as const;

const FIELDS = selectList(COLUMNS, 'manifest', {
  organisation_id: 'supplier.organisation_id',
  state: 'manifest.state::text',
  digest: "encode(manifest.digest, 'hex')",
  sealer_label: 'sealer.label',
  sealer_person: 'sealer.person',
  sealed_by_staff: 'sealer.organisation_id IS NULL',
});

const RECORD = fragment`${FIELDS}
  FROM manifests AS manifest
  JOIN import_suppliers AS supplier ON supplier.code = manifest.import_supplier_code
  LEFT JOIN api_keys AS sealer ON sealer.id = manifest.sealed_by`;

export const READ_MANIFEST = sql('read-manifest', COLUMNS)`
  SELECT ${RECORD}
  WHERE manifest.id = ${'id'}`;
export type ManifestRow = RowOf<typeof READ_MANIFEST>;

/** The same; parts are stored beside each other, and what seals or withdraws the manifest waits for them. */
export const SHARE_MANIFEST = sql('share-manifest', COLUMNS)`
  SELECT ${RECORD}
  WHERE manifest.id = ${'id'}
  FOR SHARE OF manifest`;

/** The same; nobody changes the manifest until the end of the transaction, and no part of it is stored. */
export const LOCK_MANIFEST = sql('lock-manifest', COLUMNS)`
  SELECT ${RECORD}
  WHERE manifest.id = ${'id'}
  FOR NO KEY UPDATE OF manifest`;

/** `limit` manifests of an import supplier after the place `after`. */
export const LIST_MANIFESTS = sql('list-manifests', COLUMNS)`
  SELECT ${RECORD}
  WHERE manifest.import_supplier_code = ${'import_supplier_code'}
    AND manifest.creation_order > ${'after'}
  ORDER BY manifest.creation_order
  LIMIT ${'limit'}`;

/** The parts that were received, and the first of those that are missing below the highest one. */
export const COUNT_MANIFEST_PARTS = sql('count-manifest-parts', {
  parts: 'integer',
  lines: 'integer',
  missing: 'integer[]',
})`
  WITH part AS (
    SELECT number, lines
    FROM manifest_parts
    WHERE manifest_id = ${'id'}
  )
  SELECT
    (SELECT count(*)::integer FROM part) AS parts,
    (SELECT coalesce(sum(lines), 0)::integer FROM part) AS lines,
    ARRAY(
      SELECT number
      FROM generate_series(1, (SELECT max(number) FROM part)) AS number
      WHERE number NOT IN (SELECT number FROM part)
      ORDER BY number
      LIMIT ${rawSql(String(LIMITS.bulk_missing_parts))}
    ) AS missing`;
