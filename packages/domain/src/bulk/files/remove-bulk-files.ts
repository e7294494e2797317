import { type Database, rawSql, sql } from '@causeway/db';

/** Longer than any chunk takes. */
const SETTLED_MS = 5 * 60_000;

/**
 * Removes the lines, results and failed rows of jobs whose files have expired, in batches (behaviour 21.5.8); the jobs,
 * their counts, sums and problems stay. A job that nobody has started or
 * resumed by then is cancelled. Safe to run concurrently
 * with everything else, including other instances' removals.
 */
export async function removeBulkFiles(database: Database, now: Date): Promise<void> {
  await database.query(CANCEL_EXPIRED_JOBS, { now });
  const ended_until = new Date(now.getTime() - SETTLED_MS);
  for (const { id } of await database.query(FIND_EXPIRED_JOBS, { now, ended_until })) {
    for (const statement of [REMOVE_BULK_BODIES, REMOVE_BULK_RESULTS]) {
      while ((await database.query(statement, { id })).length > 0);
    }
    await database.query(FILES_ARE_REMOVED, { id, now });
  }
}

/** Small enough that no other call waits noticeably for the locks of one statement. */
const REMOVED_AT_ONCE = rawSql('200');

/** Nobody has started or resumed them in time. */
const CANCEL_EXPIRED_JOBS = sql('cancel-expired-bulk-jobs')`
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
const FIND_EXPIRED_JOBS = sql('find-expired-bulk-jobs', { id: 'uuid' })`
  SELECT id
  FROM bulk_jobs
  WHERE files_expire_at <= ${'now'} AND finished_at <= ${'ended_until'} AND files_removed_at IS NULL
  ORDER BY id`;

const REMOVE_BULK_BODIES = sql('remove-bulk-bodies', { number: 'integer' })`
  DELETE FROM bulk_bodies
  WHERE job_id = ${'id'} AND number IN (
    SELECT number
    FROM bulk_bodies
    WHERE job_id = ${'id'}
    LIMIT ${REMOVED_AT_ONCE}
  )
  RETURNING number`;

const REMOVE_BULK_RESULTS = sql('remove-bulk-results', { number: 'integer' })`
  UPDATE bulk_chunks
  SET results = NULL, refused_lines = NULL
  WHERE job_id = ${'id'} AND (run, number) IN (
    SELECT run, number
    FROM bulk_chunks
    WHERE job_id = ${'id'} AND (results IS NOT NULL OR refused_lines IS NOT NULL)
    LIMIT ${REMOVED_AT_ONCE}
  )
  RETURNING number`;

const FILES_ARE_REMOVED = sql('bulk-files-are-removed')`
  UPDATE bulk_jobs
  SET files_removed_at = ${'now'}
  WHERE id = ${'id'}`;
