import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** Waits for other creations of the import supplier's jobs: they are committed in the order of their places. */
export const LOCK_BULK_JOBS = sql('lock-bulk-jobs', { lock: 'void' })`
  SELECT pg_advisory_xact_lock(hashtextextended('bulk_jobs ' || ${'import_supplier_code'}, 0)) AS lock`;

/** What decides whether a job may be created. */
export const READ_BULK_LIMITS = sql('read-bulk-limits', {
  bulk_parallelism: 'integer',
  unfinished: 'integer',
  has_team: 'boolean',
})`
  SELECT
    bulk_parallelism,
    (
      SELECT count(*)::integer
      FROM bulk_jobs
      WHERE import_supplier_code = ${'import_supplier_code'}
        AND state IN ('OPEN', 'PLANNING', 'RUNNING', 'PAUSED', 'REHEARSED')
    ) AS unfinished,
    EXISTS (
      SELECT
      FROM operations_teams AS team
      WHERE team.name = ${'operations_team_name'}
        AND (team.organisation_id IS NULL OR team.organisation_id = supplier.organisation_id)
    ) AS has_team
  FROM import_suppliers AS supplier
  WHERE code = ${'import_supplier_code'}`;

export const CREATE_BULK_JOB = sql('create-bulk-job')`
  WITH job AS (
    INSERT INTO bulk_jobs
      (id, import_supplier_code, kind, label, options, selection, created_by, created_at, files_expire_at)
    VALUES (
      ${'id'}, ${'import_supplier_code'}, ${'kind'}::bulk_job_kind, ${'label'}, ${'options'}::jsonb,
      ${'selection'}::jsonb, ${'api_key_id'}, ${'at'}, ${'files_expire_at'}
    )
    RETURNING kind, options
  )
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  SELECT ${AUDIT_VALUES}, 'bulk_job', 'created',
    jsonb_build_object('import_supplier', ${'import_supplier_code'}::text, 'kind', kind, 'options', options)
  FROM job`;
