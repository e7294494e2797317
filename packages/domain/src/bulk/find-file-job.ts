import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { DomainError } from '../errors.ts';
import type { BulkJobRow } from './bulk-job.sql.ts';
import { findBulkJob } from './find-bulk-job.ts';

/** A job whose files are there. Refuses with `bulk_job_does_not_exist` and `bulk_files_expired`. */
export async function findFileJob(context: Context, jobId: string): Promise<BulkJobRow> {
  const job = await findBulkJob(context, jobId);
  const { files_expire_at, finished_at } = job;
  if (finished_at !== null && files_expire_at !== null && files_expire_at <= context.clock()) {
    const detail = `The files of this bulk job expired at ${utcDatetime(files_expire_at)}.`;
    throw new DomainError('bulk_files_expired', detail, { attr: 'job_id' });
  }
  return job;
}
