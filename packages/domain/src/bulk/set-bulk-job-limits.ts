import type { BulkJob, SetBulkJobLimitsRequest } from '@causeway/contracts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { findBulkJob, stateNotAllowed } from './find-bulk-job.ts';
import { getBulkJob } from './get-bulk-job.ts';
import { SET_BULK_JOB_LIMITS } from './set-bulk-job-limits.sql.ts';

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
