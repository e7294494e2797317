import { rawSql, sql } from '@causeway/db';

/** Small enough that no other call waits noticeably for the locks of one statement. */
const REMOVED_AT_ONCE = rawSql('200');

/** Nobody has started or resumed them in time. */
export const CANCEL_EXPIRED_JOBS = sql('cancel-expired-bulk-jobs')`
  WITH expired AS (
    SELECT id
    FROM bulk_jobs
    WHERE state IN ('OPEN', 'REHEARSED', 'PAUSED') AND files_expire_at <= ${'now'}
    FOR NO KEY UPDATE SKIP LOCKED
  ),
  cancelled AS (
    UPDATE bulk_jobs AS job
    SET state = 'CANCELLED', state_reason = NULL, paused_at = NULL, finished_at = ${'now'}
    FROM expired
    WHERE job.id = expired.id
    RETURNING job.id
  )
  INSERT INTO audit_events (subject_id, subject, action, actor, request_id, detail, occurred_at)
  SELECT id, 'bulk_job', 'cancelled', 'service', 'purge', '{"reason": "files_expired"}', ${'now'}
  FROM cancelled`;

/** Ended before `ended_until`: no chunk of theirs is being worked on any more. */
export const FIND_EXPIRED_JOBS = sql('find-expired-bulk-jobs', { id: 'uuid' })`
  SELECT id
  FROM bulk_jobs
  WHERE files_expire_at <= ${'now'} AND finished_at <= ${'ended_until'} AND files_removed_at IS NULL
  ORDER BY id`;

export const REMOVE_BULK_BODIES = sql('remove-bulk-bodies', { number: 'integer' })`
  DELETE FROM bulk_bodies
  WHERE job_id = ${'id'} AND number IN (
    SELECT number
    FROM bulk_bodies
    WHERE job_id = ${'id'}
    LIMIT ${REMOVED_AT_ONCE}
  )
  RETURNING number`;

export const REMOVE_BULK_RESULTS = sql('remove-bulk-results', { number: 'integer' })`
  UPDATE bulk_chunks
  SET results = NULL, refused_lines = NULL
  WHERE job_id = ${'id'} AND (run, number) IN (
    SELECT run, number
    FROM bulk_chunks
    WHERE job_id = ${'id'} AND (results IS NOT NULL OR refused_lines IS NOT NULL)
    LIMIT ${REMOVED_AT_ONCE}
  )
  RETURNING number`;

export const FILES_ARE_REMOVED = sql('bulk-files-are-removed')`
  UPDATE bulk_jobs
  SET files_removed_at = ${'now'}
  WHERE id = ${'id'}`;
