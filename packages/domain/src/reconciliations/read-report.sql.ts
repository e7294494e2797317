import { narrow, type ReconciliationState, type ReconciliationVerdict, selectList, sql } from '@causeway/db';

/** A line of the totals: the sum that is claimed, the sum that is stored, and what is stored beyond what is claimed. */
export interface ReportTotal {
  figure: string;
  expected: string;
  actual: string;
  difference: string;
}

/** A bulk job of the report: what was rehearsed, or done, before the reconciliation finished. */
export interface ReportJob {
  id: string;
  kind: string;
  rehearsed: boolean;
  done: boolean;
}

const OF_RECONCILIATION = {
  import_supplier_code: 'text',
  state: narrow<ReconciliationState>('text'),
  verdict: narrow<ReconciliationVerdict | null>('text | null'),
  covered: 'jsonb | null',
  missing: 'integer | null',
  extra: 'integer | null',
  not_created: 'integer | null',
  skipped: 'integer | null',
  different: 'integer | null',
  differences: 'bigint | null',
  differences_digest: 'text | null',
  moved_ranges: 'integer | null',
  report_jws: 'text | null',
  created_at: 'timestamptz',
  started_at: 'timestamptz | null',
  finished_at: 'timestamptz | null',
  signed_off_person: 'text | null',
  signed_off_at: 'timestamptz | null',
  signed_off_note: 'text | null',
} as const;

/**
 * A reconciliation with all that its report tells: its manifest, who made both, the totals line by line, and the bulk
 * jobs before it (the newest `max_jobs`). `report_jws` is the report, once it was made.
 */
export const READ_REPORT = sql('read-report', {
  ...OF_RECONCILIATION,
  organisation_id: 'uuid',
  organisation: 'text',
  supplier_name: 'text',
  created_by_person: 'text | null',
  created_by_staff: 'boolean',
  totals: narrow<ReportTotal[] | null>('jsonb | null'),
  manifest: narrow<Record<string, unknown>>('jsonb'),
  sealed_at: 'timestamptz | null',
  as_of: 'timestamptz',
  jobs: narrow<ReportJob[] | null>('jsonb | null'),
})`
  SELECT
    ${selectList(OF_RECONCILIATION, 'reconciliation', {
      state: 'reconciliation.state::text',
      verdict: 'reconciliation.verdict::text',
      differences_digest: "encode(reconciliation.differences_digest, 'hex')",
    })},
    supplier.organisation_id,
    organisation.name AS organisation,
    supplier.name AS supplier_name,
    creator.person AS created_by_person,
    creator.organisation_id IS NULL AS created_by_staff,
    (
      SELECT jsonb_agg(
        jsonb_build_object(
          'figure', key,
          'expected', claimed.value,
          'actual', actual->>key,
          'difference', ((actual->>key)::numeric - claimed.value::numeric)::text
        )
        ORDER BY key
      )
      FROM jsonb_each_text(expected) AS claimed
    ) AS totals,
    jsonb_build_object(
      'id', manifest.id,
      'source_system', manifest.source_system,
      'accounts', manifest.accounts,
      'digest', encode(manifest.digest, 'hex'),
      'computed_from_book', manifest.computed_from_book,
      'lodged_before_load', manifest.lodged_before_load,
      'sealed_by', CASE WHEN sealer.organisation_id IS NULL THEN 'staff' ELSE 'supplier' END,
      'person', sealer.person
    ) AS manifest,
    manifest.sealed_at,
    manifest.as_of,
    (
      SELECT jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'rehearsed', rehearsed, 'done', done) ORDER BY place)
      FROM (
        SELECT id, kind, rehearsed, done, job.creation_order AS place
        FROM bulk_jobs AS job
        CROSS JOIN LATERAL (
          SELECT
            coalesce(bool_or(action = 'finished' AND detail->>'run_mode' = 'REHEARSAL'), false) AS rehearsed,
            coalesce(bool_or(action = 'finished' AND detail->>'run_mode' = 'REAL'), false) AS done
          FROM audit_events
          WHERE subject_id = job.id
            AND action IN ('started', 'finished')
            AND occurred_at <= reconciliation.finished_at
          HAVING count(*) > 0
        ) AS until_then
        WHERE job.import_supplier_code = reconciliation.import_supplier_code
        ORDER BY job.creation_order DESC
        LIMIT ${'max_jobs'}
      ) AS job
    ) AS jobs
  FROM reconciliations AS reconciliation
  JOIN manifests AS manifest ON manifest.id = manifest_id
  JOIN import_suppliers AS supplier ON supplier.code = reconciliation.import_supplier_code
  JOIN organisations AS organisation ON organisation.id = supplier.organisation_id
  JOIN api_keys AS creator ON creator.id = reconciliation.created_by
  JOIN api_keys AS sealer ON sealer.id = manifest.sealed_by
  WHERE reconciliation.id = ${'id'}`;

/** Keeps a report if none was kept meanwhile, and nobody has signed the reconciliation off since it was read. */
export const KEEP_REPORT = sql('keep-report', { report_jws: 'text | null' })`
  UPDATE reconciliations
  SET report_jws = ${'report_jws'}
  WHERE id = ${'id'}
    AND report_jws IS NULL
    AND signed_off_at IS NOT DISTINCT FROM ${'signed_off_at'}::timestamptz
  RETURNING report_jws`;
