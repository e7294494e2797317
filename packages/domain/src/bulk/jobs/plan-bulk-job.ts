import { type BulkJobSelection, LIMITS } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { AUDITED, auditValues } from '../../shared/audit-values.ts';
import { type BulkDependencies, type BulkWork, runContext } from '../chunks/bulk-work.ts';

/** A job that was started, and has no chunks yet. */
export interface PlannedWork extends BulkWork {
  selection: Partial<BulkJobSelection>;
}

/**
 * Divides the lines of a job into chunks, in one transaction (behaviour 21.7): a service that dies meanwhile leaves
 * none of them. A cohort is what is staged now. Nothing is done if another instance plans the job.
 *
 * @returns how many lines it has; undefined if it was not planned here
 */
export function planBulkJob(dependencies: BulkDependencies, work: PlannedWork): Promise<number | undefined> {
  const { id, run, kind, import_supplier_code } = work;
  const { states = ['STAGED', 'FAILED'], staged_before = null } = work.selection;
  const audit = auditValues(runContext(dependencies, work), id);
  return dependencies.database.transaction(async (transaction) => {
    const [job] = await transaction.query(LOCK_PLANNED_JOB, { id, run });
    if (job === undefined) return undefined;
    await transaction.query(REMOVE_CHUNKS, { id });
    if (kind === 'PROCESS') {
      const cohort = { import_supplier_code, states, staged_before, chunk_lines: LIMITS.bulk_chunk_lines };
      await transaction.query(PLAN_COHORT, { id, run, ...cohort });
    } else await transaction.query(PLAN_UPLOAD, { id, run });
    const [planned] = await transaction.query(PLANNED, { ...audit, run });
    return planned?.lines ?? undefined;
  });
}

/** Takes a job that is to be planned; no row if another instance is planning it, or has. */
const LOCK_PLANNED_JOB = sql('lock-planned-bulk-job', { id: 'uuid' })`
  SELECT id
  FROM bulk_jobs
  WHERE id = ${'id'} AND run = ${'run'} AND state = 'PLANNING'
  FOR UPDATE SKIP LOCKED`;

/** The chunks of earlier runs, which were rehearsals: their report stays with the job. */
const REMOVE_CHUNKS = sql('remove-bulk-chunks')`
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
const PLAN_UPLOAD = sql('plan-bulk-upload')`
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
const PLAN_COHORT = sql('plan-bulk-cohort')`
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
const PLANNED = sql('bulk-job-planned', { lines: 'integer | null' })`
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
    INSERT INTO audit_events ${AUDITED} 'bulk_job', 'planned', jsonb_build_object('lines', lines)
    FROM changed
  )
  SELECT lines FROM changed`;
