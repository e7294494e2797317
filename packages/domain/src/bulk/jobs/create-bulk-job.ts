import { randomUUIDv7 } from 'node:crypto';
import { type BulkJob, BulkJobSelectionRequest, type CreateBulkJobRequest, LIMITS } from '@causeway/contracts';
import { type RowOf, sql } from '@causeway/db';
import { AUDITED, auditValues } from '../../shared/audit-values.ts';
import type { Context } from '../../shared/context.ts';
import { DomainError, invalidField } from '../../shared/errors.ts';
import { findImportSupplier } from '../../shared/find-import-supplier.ts';
import { filesExpireAt } from './find-bulk-job.ts';
import { getBulkJob } from './get-bulk-job.ts';

/**
 * Creates a bulk job, which is OPEN (behaviour 21.3). Refuses with `import_supplier_does_not_exist`,
 * `operations_team_name_does_not_exist`, `bulk_storage_full` if the import supplier has too many jobs that have not
 * ended, and `request_failed_validation` if its owner asks for more than the supplier's parallelism.
 */
export async function createBulkJob(context: Context, request: CreateBulkJobRequest): Promise<BulkJob> {
  const { import_supplier: code, kind, label = null, options } = request;
  await findImportSupplier(context, code, 'import_supplier');
  const id = randomUUIDv7();
  const selection = kind === 'PROCESS' ? (request.selection ?? BulkJobSelectionRequest.parse({})) : {};
  await context.database.transaction(async (transaction) => {
    await transaction.query(LOCK_BULK_JOBS, { import_supplier_code: code });
    const { operations_team_name = null } = options;
    const [limits] = await transaction.query(READ_BULK_LIMITS, { import_supplier_code: code, operations_team_name });
    if (limits !== undefined) refuseBeyond(limits, context, request);
    await transaction.query(CREATE_BULK_JOB, {
      ...auditValues(context, id),
      import_supplier_code: code,
      kind,
      label,
      options: JSON.stringify(options),
      selection: JSON.stringify(selection),
      files_expire_at: filesExpireAt(context),
    });
  });
  return getBulkJob(context, { job_id: id });
}

function refuseBeyond(
  { unfinished, bulk_parallelism, has_team }: RowOf<typeof READ_BULK_LIMITS>,
  { actor }: Context,
  { options }: CreateBulkJobRequest,
): void {
  if (options.operations_team_name !== undefined && !has_team) {
    throw new DomainError('operations_team_name_does_not_exist', 'There is no operations team with this name.', {
      attr: 'options.operations_team_name',
    });
  }
  if (actor.kind !== 'staff' && options.parallelism > bulk_parallelism) {
    const detail = `Must be at most ${bulk_parallelism}, the limit of this import supplier.`;
    throw invalidField('options.parallelism', detail, 'max_value');
  }
  refuseTooManyJobs(unfinished);
}

/** Behaviour 21.6.4: one more is `bulk_storage_full`. */
export function refuseTooManyJobs(unfinished: number): void {
  if (unfinished < LIMITS.bulk_unfinished_jobs) return;
  const detail = `The import supplier has ${unfinished} bulk jobs that have not ended: cancel one, or wait for one.`;
  throw new DomainError('bulk_storage_full', detail);
}

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

const CREATE_BULK_JOB = sql('create-bulk-job')`
  WITH job AS (
    INSERT INTO bulk_jobs
      (id, import_supplier_code, kind, label, options, selection, created_by, created_at, files_expire_at)
    VALUES (
      ${'id'}, ${'import_supplier_code'}, ${'kind'}::bulk_job_kind, ${'label'}, ${'options'}::jsonb,
      ${'selection'}::jsonb, ${'api_key_id'}, ${'at'}, ${'files_expire_at'}
    )
    RETURNING kind, options
  )
  INSERT INTO audit_events ${AUDITED} 'bulk_job', 'created',
    jsonb_build_object('import_supplier', ${'import_supplier_code'}::text, 'kind', kind, 'options', options)
  FROM job`;
