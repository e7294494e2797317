import { fragment, rawSql, sql } from '@causeway/db';
import { AUDITED } from '../../shared/audit-values.ts';
import { eventOfJob, JOB_OF_EVENT } from '../../shared/events.sql.ts';
import { PARTS_OF_RUN } from './bulk-figures.sql.ts';

/** The audit event of a job that was `changed`, its event for others, and its id. */
function audited(action: string) {
  return fragment`audit AS (
    INSERT INTO audit_events ${AUDITED} 'bulk_job', '${rawSql(action)}', ${'detail'}::jsonb
    FROM changed
  ),
  ${eventOfJob(action)}
  SELECT id FROM changed`;
}

/** The run of a job that the service has begun to plan or to work on. */
const RUN = fragment`id = ${'id'} AND run = ${'run'}`;

/** The service cannot continue with a job. */
export const PAUSE_BULK_JOB = sql('pause-bulk-job-for-reason', { id: 'uuid' })`
  WITH changed AS (
    UPDATE bulk_jobs
    SET state = 'PAUSED', state_reason = ${'reason'}, paused_at = ${'at'}, files_expire_at = ${'files_expire_at'}
    WHERE ${RUN} AND state = 'RUNNING'
    RETURNING id, ${JOB_OF_EVENT}
  ),
  ${audited('paused')}`;

/** The import supplier is ongoing again. */
export const GO_ON_WITH_BULK_JOB = sql('go-on-with-bulk-job', { id: 'uuid' })`
  WITH changed AS (
    UPDATE bulk_jobs
    SET state = 'RUNNING', state_reason = NULL, paused_at = NULL, files_expire_at = NULL, resumed_at = ${'at'}
    WHERE ${RUN} AND state = 'PAUSED' AND state_reason = 'import_supplier_not_ongoing'
    RETURNING id, ${JOB_OF_EVENT}
  ),
  ${audited('resumed')}`;

/** What the chunks of a run have come to. */
export const RUN_FIGURES = sql('bulk-run-figures', {
  lines: 'integer',
  outcomes: 'integer',
  refused: 'integer',
  refused_of_first: 'integer',
})`
  WITH part AS MATERIALIZED (${PARTS_OF_RUN})
  SELECT
    coalesce(lines, 0) AS lines,
    (SELECT coalesce(sum(value::integer), 0)::integer FROM part, jsonb_each_text(counts)) AS outcomes,
    (SELECT coalesce(sum((counts->>'refused')::integer), 0)::integer FROM part) AS refused,
    (
      SELECT coalesce(sum((counts->>'refused')::integer), 0)::integer
      FROM bulk_chunks
      WHERE job_id = ${'id'} AND run = ${'run'} AND first_line <= ${'first'}::integer
    ) AS refused_of_first
  FROM bulk_jobs
  WHERE id = ${'id'}`;

/** How long a run has taken, and the lines a second of one lane: the median, and nine tenths of the chunks around it. */
export const RUN_RATES = sql('bulk-run-rates', {
  lines: 'integer',
  seconds: 'double precision',
  busy_seconds: 'double precision',
  slow_rate: 'double precision | null',
  rate: 'double precision | null',
  fast_rate: 'double precision | null',
})`
  SELECT
    coalesce(sum(lines), 0)::integer AS lines,
    coalesce(extract(epoch FROM max(finished_at) - min(started_at)), 0)::double precision AS seconds,
    coalesce(sum(busy_seconds), 0)::double precision AS busy_seconds,
    percentile_cont(0.1) WITHIN GROUP (ORDER BY lines / busy_seconds) AS slow_rate,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY lines / busy_seconds) AS rate,
    percentile_cont(0.9) WITHIN GROUP (ORDER BY lines / busy_seconds) AS fast_rate
  FROM (
    SELECT lines, started_at, finished_at,
      greatest(extract(epoch FROM finished_at - started_at), 0.001)::double precision AS busy_seconds
    FROM bulk_chunks
    WHERE job_id = ${'id'} AND run = ${'run'} AND done
  ) AS chunk`;

/** How many accounts of an import supplier were staged, or staged again, since a time. */
export const COUNT_STAGED_SINCE = sql('count-staged-since', { accounts: 'integer' })`
  SELECT count(*)::integer AS accounts
  FROM account_imports
  WHERE import_supplier_code = ${'import_supplier_code'}
    AND state IN ('STAGED', 'FAILED')
    AND updated_at >= ${'since'}`;

/** Whether a run has chunks that are not done. */
export const HAS_CHUNKS_LEFT = sql('has-bulk-chunks-left', { has_left: 'boolean' })`
  SELECT EXISTS (
    SELECT
    FROM bulk_chunks
    WHERE job_id = ${'id'} AND run = ${'run'} AND NOT done
  ) AS has_left`;

/** Every line has its outcome: the figures were read after the last chunk was done, and change no more. */
export const FINISH_BULK_JOB = sql('finish-bulk-job', { id: 'uuid' })`
  WITH changed AS (
    UPDATE bulk_jobs
    SET
      state = ${'state'}::bulk_job_state,
      finished_at = CASE ${'state'}::bulk_job_state WHEN 'FINISHED' THEN ${'at'}::timestamptz END,
      files_expire_at = ${'files_expire_at'},
      report = coalesce(${'report'}::jsonb, report)
    WHERE ${RUN} AND state = 'RUNNING' AND lines = ${'outcomes'}
    RETURNING id, ${JOB_OF_EVENT}
  ),
  ${audited('finished')}`;
