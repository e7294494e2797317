import { narrow, sql } from '@causeway/db';
import type { Cluster } from './clusters.ts';
import type { CountsJson, SumsJson } from './line-outcome.ts';

/**
 * Takes a place among the job's lanes and, with it, the next chunk: both are held until the transaction ends, or its
 * client dies. `lane` is null if all places are taken; `number` is null if no chunk is to be had now. A chunk that is
 * `wanted` by its number is taken even before its time. None is, if the key was revoked on whose behalf the lane works.
 */
export const CLAIM_CHUNK = sql('claim-bulk-chunk', {
  lane: 'integer | null',
  number: 'integer | null',
  first_line: 'integer | null',
  lines: 'integer | null',
  account_import_ids: 'uuid[] | null',
  revisions: 'integer[] | null',
  duplicates: 'integer[] | null',
  cursor: 'integer | null',
  attempts: 'integer | null',
  started_at: 'timestamptz | null',
  counts: narrow<CountsJson | null>('jsonb | null'),
  sums: narrow<SumsJson | null>('jsonb | null'),
  clusters: narrow<Cluster[] | null>('jsonb | null'),
  body: 'bytea | null',
})`
  WITH lane AS MATERIALIZED (
    SELECT number
    FROM generate_series(1, ${'parallelism'}::integer) AS number
    WHERE pg_try_advisory_xact_lock(${'first_lane'}::bigint + number)
    LIMIT 1
  ),
  chunk AS MATERIALIZED (
    SELECT chunk.*
    FROM bulk_chunks AS chunk
    WHERE job_id = ${'id'}
      AND run = ${'run'}
      AND NOT done
      AND CASE WHEN ${'wanted'}::integer IS NULL THEN coalesce(not_before <= ${'now'}, true) ELSE number = ${'wanted'} END
      AND EXISTS (SELECT FROM lane)
      AND EXISTS (
        SELECT
        FROM bulk_jobs AS job
        JOIN api_keys AS key ON key.id = job.run_by
        WHERE job.id = ${'id'}
          AND job.run = ${'run'}
          AND job.state = 'RUNNING'
          AND key.id = ${'api_key_id'}
          AND key.revoked_at IS NULL
      )
    ORDER BY number
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  )
  SELECT
    (SELECT number FROM lane) AS lane,
    chunk.number,
    first_line,
    chunk.lines,
    account_import_ids,
    revisions,
    duplicates,
    cursor,
    attempts,
    started_at,
    counts,
    sums,
    clusters,
    body
  FROM (SELECT) AS one
  LEFT JOIN chunk ON true
  LEFT JOIN bulk_bodies AS stored ON stored.job_id = chunk.job_id AND stored.number = chunk.number`;

/** Takes as many of a supplier's slots as are free, but leaves the first ones to others. */
export const TAKE_SLOTS = sql('take-bulk-slots', { slots: 'integer' })`
  SELECT count(*)::integer AS slots
  FROM (
    SELECT
    FROM generate_series(${'first'}::integer, ${'last'}::integer) AS number
    WHERE pg_try_advisory_xact_lock(${'first_slot'}::bigint + number)
    LIMIT ${'wanted'}
  ) AS taken`;

/** Writes what happened to lines of a chunk; a body whose lines are all moved is deleted. */
export const SAVE_CHUNK = sql('save-bulk-chunk')`
  WITH body AS (
    DELETE FROM bulk_bodies
    WHERE ${'is_moved'}::boolean AND job_id = ${'id'} AND number = ${'number'}
  )
  UPDATE bulk_chunks
  SET
    cursor = ${'cursor'},
    done = ${'cursor'}::integer = lines,
    attempts = ${'attempts'},
    not_before = ${'not_before'},
    started_at = coalesce(started_at, ${'started_at'}),
    finished_at = CASE WHEN ${'cursor'}::integer = lines THEN ${'now'}::timestamptz END,
    counts = ${'counts'}::jsonb,
    sums = ${'sums'}::jsonb,
    clusters = ${'clusters'}::jsonb,
    results = coalesce(results, '') || ${'results'}::bytea,
    refused_lines = CASE
      WHEN ${'refused_lines'}::bytea IS NULL THEN refused_lines
      ELSE coalesce(refused_lines, '') || ${'refused_lines'}::bytea
    END
  WHERE job_id = ${'id'} AND run = ${'run'} AND number = ${'number'}`;

/** Lets others go first, after a failure that rolled the chunk's transaction back. */
export const PUT_CHUNK_OFF = sql('put-bulk-chunk-off')`
  UPDATE bulk_chunks
  SET
    attempts = attempts + ${'attempts'}::integer,
    not_before = ${'not_before'}
  WHERE job_id = ${'id'} AND run = ${'run'} AND number = ${'number'} AND NOT done`;
