import type { BulkJobKind, BulkJobOptions, BulkJobSelection, BulkRunMode } from '@causeway/contracts';
import { fragment, narrow, sql } from '@causeway/db';

/** The key on whose behalf a job is worked on: with which it was last started or resumed. */
export const RUN_BY = fragment`coalesce(job.run_by, job.created_by)`;

/** The jobs with something to do, each with its key, and the key's organisation; none for one of the service team. */
export const FIND_BULK_WORK = sql('find-bulk-work', {
  id: 'uuid',
  kind: narrow<BulkJobKind>('text'),
  import_supplier_code: 'text',
  options: narrow<BulkJobOptions>('jsonb'),
  selection: narrow<BulkJobSelection>('jsonb'),
  state: narrow<'PLANNING' | 'RUNNING' | 'PAUSED'>('text'),
  run: 'integer',
  run_mode: narrow<BulkRunMode>('text'),
  api_key_id: 'uuid',
  organisation_id: 'uuid | null',
  is_ongoing: 'boolean',
  is_revoked: 'boolean',
})`
  SELECT
    job.id,
    job.kind::text,
    job.import_supplier_code,
    job.options,
    job.selection,
    job.state::text,
    job.run,
    job.run_mode::text,
    key.id AS api_key_id,
    key.organisation_id,
    supplier.status = 'ONGOING' AS is_ongoing,
    key.revoked_at IS NOT NULL AS is_revoked
  FROM bulk_jobs AS job
  JOIN api_keys AS key ON key.id = ${RUN_BY}
  JOIN import_suppliers AS supplier ON supplier.code = job.import_supplier_code
  WHERE job.state IN ('PLANNING', 'RUNNING')
    OR (job.state = 'PAUSED' AND job.state_reason = 'import_supplier_not_ongoing')
  ORDER BY job.id`;

/**
 * Takes the time of the next chunk of a job with a rate: whoever gets a row may work on one, and the next one has to
 * wait for as long as its lines take at that rate.
 */
export const TAKE_TURN = sql('take-turn-of-bulk-job', { id: 'uuid' })`
  UPDATE bulk_jobs
  SET next_claim_at = greatest(next_claim_at, ${'now'}::timestamptz) + (
    SELECT coalesce(max(lines), 0) / ${'accounts_per_second'}::double precision * interval '1 second'
    FROM (
      SELECT lines
      FROM bulk_chunks
      WHERE job_id = ${'id'} AND run = ${'run'} AND NOT done
      ORDER BY number
      LIMIT 1
    ) AS next
  )
  WHERE id = ${'id'} AND coalesce(next_claim_at <= ${'now'}, true)
  RETURNING id`;
