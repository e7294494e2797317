import type { BulkJob, BulkJobRequest, BulkJobState } from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { CANCEL_BULK_JOB, FORGIVE_BULK_CHUNKS, PAUSE_BULK_JOB, RESUME_BULK_JOB } from './change-bulk-job.sql.ts';
import { filesExpireAt } from './files-expire.ts';
import { findBulkJob, stateNotAllowed } from './find-bulk-job.ts';
import { getBulkJob } from './get-bulk-job.ts';

/**
 * Pauses a job that is RUNNING (behaviour 21.3); chunks that are being worked on are finished. One that is paused for
 * another reason stays PAUSED, and does not go on by itself. Pausing again changes nothing. Refuses with
 * `bulk_job_does_not_exist` and `bulk_job_state_not_allowed`.
 */
export function pauseBulkJob(context: Context, request: BulkJobRequest): Promise<BulkJob> {
  return change(context, request, {
    word: 'paused',
    wanted: 'PAUSED',
    write: (transaction, id) =>
      transaction.query(PAUSE_BULK_JOB, { ...auditValues(context, id), files_expire_at: filesExpireAt(context) }),
  });
}

/**
 * Lets a job go on that is PAUSED (behaviour 21.3). Chunks that kept failing are tried again, and too many refused
 * lines are accepted. A job that is RUNNING stays so. Refuses as `pauseBulkJob`.
 */
export function resumeBulkJob(context: Context, request: BulkJobRequest): Promise<BulkJob> {
  return change(context, request, {
    word: 'resumed',
    wanted: 'RUNNING',
    async write(transaction, id) {
      const changed = await transaction.query(RESUME_BULK_JOB, auditValues(context, id));
      if (changed.length > 0) await transaction.query(FORGIVE_BULK_CHUNKS, { id });
      return changed;
    },
  });
}

/**
 * Ends a job that has not ended (behaviour 21.3). What it has done stays; chunks that are being worked on are finished.
 * Cancelling again changes nothing. Refuses as `pauseBulkJob`.
 */
export function cancelBulkJob(context: Context, request: BulkJobRequest): Promise<BulkJob> {
  return change(context, request, {
    word: 'cancelled',
    wanted: 'CANCELLED',
    write: (transaction, id) =>
      transaction.query(CANCEL_BULK_JOB, { ...auditValues(context, id), files_expire_at: filesExpireAt(context) }),
  });
}

interface Change {
  /** For the refusal: a job cannot be .. */
  word: string;
  wanted: BulkJobState;
  /** Answers with a row if the job has changed. */
  write: (transaction: Queryable, id: string) => Promise<unknown[]>;
}

/** Changes a job that the caller may see; what is so already stays, and any other state refuses. */
async function change(context: Context, { job_id }: BulkJobRequest, { word, wanted, write }: Change): Promise<BulkJob> {
  const { id } = await findBulkJob(context, job_id);
  const changed = await context.database.transaction((transaction) => write(transaction, id));
  const job = await getBulkJob(context, { job_id });
  if (changed.length === 0 && job.state !== wanted) throw stateNotAllowed(job.state, word);
  return job;
}
