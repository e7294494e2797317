import { type Fragment, fragment, rawSql, sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';
import { eventOfJob } from '../events/events.sql.ts';

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
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'bulk_job', '${rawSql(action)}', jsonb_strip_nulls(jsonb_build_object(
      'state_before', state_before, 'reason_before', reason_before))
    FROM changed
  ),
  ${eventOfJob(action)}
  SELECT id FROM changed`;
}

/** Also of one that is paused for another reason, which would go on by itself. */
export const PAUSE_BULK_JOB = changeOf('paused', {
  changes: fragment`
      state = 'PAUSED',
      state_reason = 'asked',
      paused_at = coalesce(paused_at, ${'at'}),
      files_expire_at = coalesce(files_expire_at, ${'files_expire_at'})`,
  condition: fragment`(state = 'RUNNING' OR (state = 'PAUSED' AND state_reason <> 'asked'))`,
});

/**
 * Whoever resumes a job with too many refused lines accepts them. Only a real run pauses for them, and no other run
 * comes after it: the limits are not needed again. The job works on behalf of the key that resumes it.
 */
export const RESUME_BULK_JOB = changeOf('resumed', {
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

export const CANCEL_BULK_JOB = changeOf('cancelled', {
  changes: fragment`
      state = 'CANCELLED',
      state_reason = NULL,
      paused_at = NULL,
      finished_at = ${'at'},
      files_expire_at = ${'files_expire_at'}`,
  condition: fragment`state IN ('OPEN', 'PLANNING', 'RUNNING', 'PAUSED', 'REHEARSED')`,
});

/** Lets what kept failing be tried again, except what is being tried at this moment. */
export const FORGIVE_BULK_CHUNKS = sql('forgive-bulk-chunks')`
  UPDATE bulk_chunks
  SET attempts = 0, not_before = NULL
  WHERE (job_id, run, number) IN (
    SELECT job_id, run, number
    FROM bulk_chunks
    WHERE job_id = ${'id'} AND NOT done AND attempts > 0
    FOR NO KEY UPDATE SKIP LOCKED
  )`;
