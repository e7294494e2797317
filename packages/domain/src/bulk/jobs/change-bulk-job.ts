import type { BulkJob, BulkJobRequest, BulkJobState } from '@causeway/contracts';
import { type Fragment, fragment, type Queryable, rawSql, sql } from '@causeway/db';
import { AUDITED, auditValues } from '../../shared/audit-values.ts';
import type { Context } from '../../shared/context.ts';
import { eventOfJob } from '../../shared/events.sql.ts';
import { filesExpireAt, findBulkJob, stateNotAllowed } from './find-bulk-job.ts';
import { getBulkJob } from './get-bulk-job.ts';

/**
 * Pauses a job that is RUNNING (behaviour 21.3); chunks that are being worked on are finished. One that is paused for
 * another reason stays PAUSED, and does not continue by itself. Pausing again changes nothing. Refuses with
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
 * Resumes a job that is PAUSED (behaviour 21.3). Chunks that kept failing are tried again, and too many refused
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

/** One conditional change of a job's state, with its audit event and its event for others. */
function changeOf<Name extends string>(
  action: string,
  { changes, condition }: { changes: Fragment<Name>; condition: Fragment },
) {
  return sql(`bulk-job-${action}`, { id: 'uuid' })`
  WITH before AS (
    SELECT id, state::text AS state, state_reason
    FROM bulk_jobs
    WHERE id = ${'id'} AND ${condition}
    FOR NO KEY UPDATE
  ),
  changed AS (
    UPDATE bulk_jobs AS job
    SET ${changes}
    FROM before
    WHERE job.id = before.id
    RETURNING job.id, job.import_supplier_code, job.kind, job.run_mode, job.state_reason,
      before.state AS state_before, before.state_reason AS reason_before
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'bulk_job', '${rawSql(action)}', jsonb_strip_nulls(jsonb_build_object(
      'state_before', state_before, 'reason_before', reason_before))
    FROM changed
  ),
  ${eventOfJob(action)}
  SELECT id FROM changed`;
}

/** Also of one that is paused for another reason, which would continue by itself. */
const PAUSE_BULK_JOB = changeOf('paused', {
  changes: fragment`
      state = 'PAUSED',
      state_reason = 'asked',
      paused_at = coalesce(paused_at, ${'at'}),
      files_expire_at = coalesce(files_expire_at, ${'files_expire_at'})`,
  condition: fragment`(state = 'RUNNING' OR (state = 'PAUSED' AND state_reason <> 'asked'))`,
});

/**
 * Anyone who resumes a job with too many refused lines accepts them. Only a real run pauses for them, and no other run
 * comes after it: the limits are not needed again. The job works on behalf of the key that resumes it.
 */
const RESUME_BULK_JOB = changeOf('resumed', {
  changes: fragment`
      state = 'RUNNING',
      state_reason = NULL,
      paused_at = NULL,
      files_expire_at = NULL,
      resumed_at = ${'at'},
      run_by = ${'api_key_id'},
      options = CASE before.state_reason
        WHEN 'too_many_refused' THEN options || '{"max_refused": null, "max_refused_ratio": null}'
        ELSE options
      END`,
  condition: fragment`state = 'PAUSED'`,
});

const CANCEL_BULK_JOB = changeOf('cancelled', {
  changes: fragment`
      state = 'CANCELLED',
      state_reason = NULL,
      paused_at = NULL,
      finished_at = ${'at'},
      files_expire_at = ${'files_expire_at'}`,
  condition: fragment`state IN ('OPEN', 'PLANNING', 'RUNNING', 'PAUSED', 'REHEARSED')`,
});

/** Lets what kept failing be tried again, except what is being tried at this moment. */
const FORGIVE_BULK_CHUNKS = sql('forgive-bulk-chunks')`
  UPDATE bulk_chunks
  SET attempts = 0, not_before = NULL
  WHERE (job_id, run, number) IN (
    SELECT job_id, run, number
    FROM bulk_chunks
    WHERE job_id = ${'id'} AND NOT done AND attempts > 0
    FOR NO KEY UPDATE SKIP LOCKED
  )`;
