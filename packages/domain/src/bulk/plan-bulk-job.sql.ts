import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** Takes a job that is to be planned; no row if another instance is planning it, or has. */
export const LOCK_PLANNED_JOB = sql('lock-planned-bulk-job', { id: 'uuid' })`
  SELECT id
  FROM bulk_jobs
  WHERE id = ${'id'} AND run = ${'run'} AND state = 'PLANNING'
  FOR UPDATE SKIP LOCKED`;

/** The chunks of earlier runs, which were rehearsals: their report stays with the job. */
export const REMOVE_CHUNKS = sql('remove-bulk-chunks')`
  WITH fold AS (
    DELETE FROM bulk_folds
    WHERE job_id = ${'id'}
  ),
  problem AS (
    DELETE FROM bulk_problems
    WHERE job_id = ${'id'}
  )
  DELETE FROM bulk_chunks
  WHERE job_id = ${'id'}`;

/** One chunk for each body, in their order; with the places of lines that name the account of an earlier one. */
export const PLAN_UPLOAD = sql('plan-bulk-upload')`
  WITH body AS MATERIALIZED (
    SELECT number, lines, span, account_ids
    FROM bulk_bodies
    WHERE job_id = ${'id'}
  ),
  line AS MATERIALIZED (
    SELECT number, account_id, place
    FROM body, unnest(account_ids) WITH ORDINALITY AS line (account_id, place)
    WHERE account_id IS NOT NULL
  ),
  repeated AS MATERIALIZED (
    SELECT account_id
    FROM line
    GROUP BY account_id
    HAVING count(*) > 1
  ),
  ordered AS (
    SELECT number, place, row_number() OVER (PARTITION BY account_id ORDER BY number, place) AS appearance
    FROM line
    JOIN repeated USING (account_id)
  ),
  duplicate AS MATERIALIZED (
    SELECT number, array_agg(place::integer ORDER BY place) AS places
    FROM ordered
    WHERE appearance > 1
    GROUP BY number
  )
  INSERT INTO bulk_chunks (job_id, run, number, first_line, lines, duplicates)
  SELECT
    ${'id'},
    ${'run'},
    number,
    1 + sum(span) OVER (ORDER BY number) - span,
    lines,
    coalesce(places, '{}')
  FROM body
  LEFT JOIN duplicate USING (number)`;

/** Chunks of the accounts that are staged now, in the order of their ids, which is that of their indexes. */
export const PLAN_COHORT = sql('plan-bulk-cohort')`
  WITH numbered AS (
    SELECT id, row_number() OVER (ORDER BY id) AS number
    FROM account_imports
    WHERE import_supplier_code = ${'import_supplier_code'}
      AND state = ANY (${'states'}::account_import_state[])
      AND coalesce(staged_at < ${'staged_before'}::timestamptz, true)
  )
  INSERT INTO bulk_chunks (job_id, run, number, first_line, lines, account_import_ids)
  SELECT ${'id'}, ${'run'}, 1 + (number - 1) / ${'chunk_lines'}::integer, min(number), count(*), array_agg(id ORDER BY id)
  FROM numbered
  GROUP BY (number - 1) / ${'chunk_lines'}::integer`;

/** The job is planned; how many lines it has follows from its chunks. */
export const PLANNED = sql('bulk-job-planned', { lines: 'integer | null' })`
  WITH changed AS (
    UPDATE bulk_jobs
    SET
      state = 'RUNNING',
      lines = (
        SELECT coalesce(sum(lines), 0)
        FROM bulk_chunks
        WHERE job_id = ${'id'} AND run = ${'run'}
      )
    WHERE id = ${'id'}
    RETURNING lines
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'bulk_job', 'planned', jsonb_build_object('lines', lines)
    FROM changed
  )
  SELECT lines
  FROM changed`;
