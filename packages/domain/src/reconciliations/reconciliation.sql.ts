import type { Reconciliation } from '@causeway/contracts';
import { fragment, narrow, type RowOf, selectList, sql } from '@causeway/db';

const COLUMNS = {
  id: 'uuid',
  import_supplier_code: 'text',
  organisation_id: 'uuid',
  creation_order: 'bigint',
  manifest_id: 'uuid',
  state: narrow<Reconciliation['state']>('text'),
  verdict: narrow<Reconciliation['verdict']>('text | null'),
  round: 'integer',
  created_at: 'timestamptz',
  started_at: 'timestamptz | null',
  finished_at: 'timestamptz | null',
  differences: 'bigint | null',
  signed_off_person: 'text | null',
  signed_off_at: 'timestamptz | null',
  signed_off_note: 'text | null',
} as const;

const RECORD = selectList(COLUMNS, 'reconciliation', {
  organisation_id: 'supplier.organisation_id',
  state: 'reconciliation.state::text',
  verdict: 'reconciliation.verdict::text',
});
const FROM = fragment`
  FROM reconciliations AS reconciliation
  JOIN import_suppliers AS supplier ON supplier.code = reconciliation.import_supplier_code`;

/** With its figures; the totals are in the order of their names. */
export const READ_RECONCILIATION = sql('read-reconciliation', {
  ...COLUMNS,
  ranges: 'integer',
  ranges_done: 'integer',
  totals: narrow<Reconciliation['totals']>('json | null'),
  missing: 'integer | null',
  extra: 'integer | null',
  not_created: 'integer | null',
  skipped: 'integer | null',
  different: 'integer | null',
  differences_digest: 'text | null',
  covered: narrow<Reconciliation['covered']>('jsonb | null'),
  moved_ranges: 'integer | null',
})`
  SELECT ${RECORD},
    (SELECT count(*)::integer FROM reconciliation_ranges WHERE reconciliation_id = reconciliation.id) AS ranges,
    (SELECT count(*)::integer FROM reconciliation_ranges WHERE reconciliation_id = reconciliation.id AND done) AS ranges_done,
    (
      SELECT json_agg(
        json_build_object(
          'figure', figure,
          'expected', claimed,
          'actual', actual->>figure,
          'difference', ((actual->>figure)::numeric - claimed::numeric)::text
        )
        ORDER BY figure COLLATE "C"
      )
      FROM jsonb_each_text(expected) AS line (figure, claimed)
    ) AS totals,
    missing,
    extra,
    not_created,
    skipped,
    different,
    encode(differences_digest, 'hex') AS differences_digest,
    covered,
    moved_ranges ${FROM}
  WHERE reconciliation.id = ${'id'}`;
export type ReconciliationRow = RowOf<typeof READ_RECONCILIATION>;

/** `limit` reconciliations of an import supplier after the place `after`. */
export const LIST_RECONCILIATIONS = sql('list-reconciliations', COLUMNS)`
  SELECT ${RECORD} ${FROM}
  WHERE reconciliation.import_supplier_code = ${'import_supplier_code'}
    AND reconciliation.creation_order > ${'after'}
  ORDER BY reconciliation.creation_order
  LIMIT ${'limit'}`;
export type ReconciliationListRow = RowOf<typeof LIST_RECONCILIATIONS>;

/** `limit` differences behind the place `(after_id, after_field)`, of all kinds and figures or of one. */
export const LIST_DIFFERENCES = sql('list-differences', {
  external_account_number: 'text',
  kind: narrow<'MISSING' | 'EXTRA' | 'NOT_CREATED' | 'SKIPPED' | 'DIFFERENT'>('text'),
  field: 'text',
  expected: 'text | null',
  actual: 'text | null',
  problem_operation: 'text | null',
  problem_code: 'text | null',
  problem_attr: 'text | null',
  reason: 'text | null',
})`
  SELECT
    external_account_number,
    kind::text,
    field,
    expected,
    actual,
    detail->>'operation' AS problem_operation,
    detail->>'code' AS problem_code,
    detail->>'attr' AS problem_attr,
    CASE WHEN kind = 'SKIPPED' THEN (
      SELECT skip_reason
      FROM account_imports AS import
      WHERE import.id = account_import_id
    ) END AS reason
  FROM reconciliation_differences
  WHERE reconciliation_id = ${'id'}
    AND (account_import_id, field) > (${'after_id'}::uuid, ${'after_field'})
    AND CASE WHEN ${'kind'}::text IS NULL THEN true ELSE kind::text = ${'kind'} END
    AND CASE WHEN ${'field'}::text IS NULL THEN true ELSE field = ${'field'} END
  ORDER BY account_import_id, field
  LIMIT ${'limit'}`;
