import { randomUUIDv7 } from 'node:crypto';
import { type ChangedSince, LIMITS, type UndoBulkJobRequest, type UndoBulkJobResponse } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';
import { AUDITED, auditValues } from '../../shared/audit-values.ts';
import type { Context } from '../../shared/context.ts';
import { DomainError } from '../../shared/errors.ts';
import { eventOfJob, JOB_OF_EVENT } from '../../shared/events.sql.ts';
import type { Undoing } from '../chunks/bulk-work.ts';
import type { BulkJobRow } from './bulk-job.sql.ts';
import { LOCK_BULK_JOBS, READ_BULK_LIMITS, refuseTooManyJobs } from './create-bulk-job.ts';
import { findBulkJob, stateNotAllowed } from './find-bulk-job.ts';
import { getBulkJob } from './get-bulk-job.ts';

/**
 * Starts a job that takes back what another one created (behaviour 30.3): its accounts, in chunks, each as `undoAccount`
 * does. Which accounts, and up to which revision of each, is decided here, together with the figures of those that
 * received something since. A dry run rolls back what it does. Refuses with `bulk_job_does_not_exist`,
 * `bulk_job_state_not_allowed` for a job that has not ended or creates nothing, `undo_not_allowed`,
 * `bulk_storage_full` if the import supplier has too many jobs that have not ended, and `changed_since` if the figures of
 * `include_later` are others.
 */
export async function undoBulkJob(context: Context, request: UndoBulkJobRequest): Promise<UndoBulkJobResponse> {
  const { job_id, dry_run = false, include_later = false, changed_since: sent, parallelism } = request;
  const job = await findBulkJob(context, job_id);
  refuseUnlessUndoable(job);
  const id = randomUUIDv7();
  const { reason = null, tell_again = true, accounts_per_second } = request;
  const undoing: Undoing = { job_id: job.id, reason, tell_again };
  const values = {
    ...auditValues(context, id),
    ...{ job: job.id, job_run: job.run, import_supplier_code: job.import_supplier_code },
    is_supplier: context.actor.kind === 'organisation',
    run_mode: dry_run ? 'REHEARSAL' : 'REAL',
    options: JSON.stringify({ ...OPTIONS, accounts_per_second }),
    parallelism,
    selection: JSON.stringify({ undoing }),
    include_later,
    chunk_lines: LIMITS.bulk_chunk_lines,
    expected: sent === undefined ? null : JSON.stringify(sent),
  };
  const [row] = await context.database.transaction(async (transaction) => {
    const { import_supplier_code } = job;
    await transaction.query(LOCK_BULK_JOBS, { import_supplier_code });
    const [limits] = await transaction.query(READ_BULK_LIMITS, { import_supplier_code, operations_team_name: null });
    if (limits !== undefined) refuseTooManyJobs(limits.unfinished);
    return transaction.query(CREATE_UNDO_JOB, values);
  });
  if (row?.may_undo !== true) throw notAllowed();
  const { changed_since, is_created } = row;
  if (!is_created) throw figuresDiffer();
  return { job: await getBulkJob(context, { job_id: id }), changed_since };
}

const OPTIONS = {
  max_refused: null,
  max_refused_ratio: null,
  check_previously_added: true,
  force_add_to_current_statement: true,
};

function refuseUnlessUndoable({ kind, state, run_mode }: BulkJobRow): void {
  if (kind === 'STAGE' || kind === 'UNDO' || run_mode !== 'REAL') {
    const detail = `This ${kind} job has created no account: there is nothing to undo.`;
    throw new DomainError('bulk_job_state_not_allowed', detail, { attr: 'job_id' });
  }
  if (state === 'PLANNING' || state === 'RUNNING')
    throw stateNotAllowed(state, 'undone: pause it, or wait for its end');
}

function notAllowed(): DomainError {
  const detail = 'It cannot be undone: undo_hours of the import supplier is 0, or only the service team may.';
  return new DomainError('undo_not_allowed', detail, { attr: 'job_id' });
}

function figuresDiffer(): DomainError {
  const detail =
    'These are not the figures of the accounts that received something since: a dry run has them. Nothing was undone.';
  return new DomainError('changed_since', detail, { attr: 'changed_since' });
}

/**
 * Creates the job, with its chunks, as RUNNING: the accounts that the other one created, and those to which it added
 * something, which are kept and named: looked for in the trail of chunks that did more than create. Nothing is created if
 * `expected` are other figures than those of accounts that were written to since; their revisions are of the same
 * snapshot.
 */
const CREATE_UNDO_JOB = sql('create-undo-job', {
  may_undo: 'boolean',
  is_created: 'boolean',
  changed_since: narrow<ChangedSince>('jsonb'),
})`
  WITH supplier AS MATERIALIZED (
    SELECT bulk_parallelism, undo_hours > 0 AND (suppliers_may_undo OR NOT ${'is_supplier'}::boolean) AS may_undo
    FROM import_suppliers
    WHERE code = ${'import_supplier_code'}
  ),
  created AS MATERIALIZED (
    SELECT account_import_id AS id, revision
    FROM accounts
    WHERE created_by_job = ${'job'}::uuid AND (SELECT may_undo FROM supplier)
  ),
  later AS MATERIALIZED (
    SELECT id
    FROM created
    WHERE revision > 0
  ),
  changed_since AS MATERIALIZED (
    SELECT jsonb_build_object(
      'accounts', (SELECT count(*) FROM later),
      'notes', (
        SELECT count(*)
        FROM notes
        WHERE account_import_id = ANY (ARRAY(SELECT id FROM later)) AND NOT is_generated
      ),
      'transactions', money.count,
      'transactions_sum', money.sum::text,
      'statements', bill.count,
      'statements_gross', bill.sum::text,
      'payment_instructions', (
        SELECT count(*)
        FROM payment_instructions
        WHERE account_import_id = ANY (ARRAY(SELECT id FROM later))
      ) + (
        SELECT count(*)
        FROM superseded_payment_instructions
        WHERE account_import_id = ANY (ARRAY(SELECT id FROM later))
      )
    ) AS figures
    FROM (
      SELECT count(*), coalesce(sum(amount), 0.00) AS sum
      FROM transactions
      WHERE account_import_id = ANY (ARRAY(SELECT id FROM later))
    ) AS money
    CROSS JOIN (
      SELECT count(*), coalesce(sum(gross_amount), 0.00) AS sum
      FROM statements
      WHERE account_import_id = ANY (ARRAY(SELECT id FROM later))
    ) AS bill
  ),
  updated AS MATERIALIZED (
    SELECT DISTINCT event.subject_id AS id
    FROM (
      SELECT first_line, coalesce(lead(first_line) OVER (ORDER BY number), first_line + lines) - 1 AS last_line, (
          SELECT coalesce(sum(value::integer), 0)
          FROM jsonb_each_text(sums->'account_types')
        ) < coalesce((counts->>'created')::integer, 0) + coalesce((counts->>'updated')::integer, 0) AS adds_history
      FROM bulk_chunks
      WHERE job_id = ${'job'}::uuid AND run = ${'job_run'}::integer
    ) AS chunk
    CROSS JOIN LATERAL generate_series(first_line, last_line) AS line (number)
    CROSS JOIN LATERAL (
      SELECT subject_id
      FROM audit_events
      WHERE request_id = 'bulk:' || ${'job'}::uuid || '/' || ${'job_run'}::integer || '/' || line.number
        AND subject = 'account_import'
      GROUP BY subject_id
      HAVING bool_or(right(action, 9) = '_imported') AND NOT bool_or(action = 'processed')
      OFFSET 0
    ) AS event
    WHERE adds_history AND (SELECT may_undo FROM supplier)
  ),
  numbered AS (
    SELECT id, revision, row_number() OVER (ORDER BY id) AS number
    FROM (
      SELECT id, CASE WHEN ${'include_later'}::boolean THEN revision ELSE 0 END AS revision
      FROM created
      UNION ALL
      SELECT id, 0
      FROM updated
    ) AS account
  ),
  changed AS (
    INSERT INTO bulk_jobs
      (id, import_supplier_code, kind, options, selection, state, run, run_mode, lines, created_by, run_by, created_at,
        started_at)
    SELECT ${'id'}, ${'import_supplier_code'}, 'UNDO', ${'options'}::jsonb || jsonb_build_object('parallelism',
        CASE WHEN ${'is_supplier'}::boolean THEN least(bulk_parallelism, ${'parallelism'}::integer) ELSE ${'parallelism'} END),
      ${'selection'}::jsonb, 'RUNNING', 1,
      ${'run_mode'}::bulk_run_mode, (SELECT count(*) FROM numbered), ${'api_key_id'}::uuid, ${'api_key_id'}::uuid, ${'at'}, ${'at'}
    FROM changed_since, supplier
    WHERE may_undo AND CASE WHEN ${'include_later'}::boolean THEN figures = ${'expected'}::jsonb ELSE true END
    RETURNING id, ${JOB_OF_EVENT}
  ),
  chunk AS (
    INSERT INTO bulk_chunks (job_id, run, number, first_line, lines, account_import_ids, revisions)
    SELECT changed.id, 1, 1 + (number - 1) / ${'chunk_lines'}::integer, min(number), count(*),
      array_agg(numbered.id ORDER BY number), array_agg(revision ORDER BY number)
    FROM changed, numbered
    GROUP BY changed.id, (number - 1) / ${'chunk_lines'}::integer
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'bulk_job', 'started',
      jsonb_build_object('run', 1, 'run_mode', run_mode, 'undoes', ${'job'}::uuid, 'changed_since', figures)
    FROM changed, changed_since
  ),
  ${eventOfJob('started')}
  SELECT
    may_undo,
    EXISTS (SELECT FROM changed) AS is_created,
    figures AS changed_since
  FROM supplier, changed_since`;
