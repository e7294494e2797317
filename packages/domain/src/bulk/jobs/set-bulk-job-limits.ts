import type { BulkJob, SetBulkJobLimitsRequest } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { AUDITED, auditValues } from '../../shared/audit-values.ts';
import type { Context } from '../../shared/context.ts';
import { findBulkJob, stateNotAllowed } from './find-bulk-job.ts';
import { getBulkJob } from './get-bulk-job.ts';

/**
 * Changes how fast a job works that has not ended (behaviour 21.6); what is left out stays. For the service team, which
 * may give more than the import supplier's parallelism. Refuses as `pauseBulkJob`.
 */
export async function setBulkJobLimits(
  context: Context,
  { id: job_id, ...limits }: SetBulkJobLimitsRequest,
): Promise<BulkJob> {
  const { id } = await findBulkJob(context, job_id);
  const changed = await context.database.query(SET_BULK_JOB_LIMITS, {
    ...auditValues(context, id),
    limits: JSON.stringify(limits),
  });
  const job = await getBulkJob(context, { job_id });
  if (changed.length === 0) throw stateNotAllowed(job.state, 'changed');
  return job;
}

const SET_BULK_JOB_LIMITS = sql('set-bulk-job-limits', { id: 'uuid' })`
  WITH changed AS (
    UPDATE bulk_jobs
    SET options = options || ${'limits'}::jsonb, next_claim_at = NULL
    WHERE id = ${'id'} AND state NOT IN ('FINISHED', 'CANCELLED')
    RETURNING id
  ),
  audit AS (INSERT INTO audit_events ${AUDITED} 'bulk_job', 'limits_set', ${'limits'}::jsonb FROM changed)
  SELECT id FROM changed`;
