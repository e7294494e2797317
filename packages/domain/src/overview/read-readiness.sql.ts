import { fragment, narrow, type ReconciliationVerdict, rawSql, sql } from '@causeway/db';
import { undoneOf } from '../shared/conditions.sql.ts';

const rehearsalWas = (action: 'started' | 'finished') =>
  rawSql(`subject = 'bulk_job' AND action = '${action}' AND detail->>'run_mode' = 'REHEARSAL'`);

/**
 * The last rehearsal of an import supplier, and what was changed since it began: accounts that are still to be created,
 * and the supplier's configuration. No row if there was none. Its beginning and end are those of the trail: the job has
 * only its last start, which may be that of another rehearsal that was cancelled.
 */
export const COUNT_SINCE_REHEARSAL = sql('count-since-rehearsal', {
  finished_at: 'timestamptz',
  lines: 'integer',
  accounts_changed: 'integer',
  settings_changed: 'integer',
})`
  WITH rehearsal AS MATERIALIZED (
    SELECT started.at AS started_at, finished.at AS finished_at, coalesce(lines, 0) AS lines
    FROM bulk_jobs AS job
    CROSS JOIN LATERAL (
      SELECT id, occurred_at AS at
      FROM audit_events
      WHERE subject_id = job.id AND ${rehearsalWas('finished')}
      ORDER BY id DESC
      LIMIT 1
    ) AS finished
    CROSS JOIN LATERAL (
      SELECT occurred_at AS at
      FROM audit_events
      WHERE subject_id = job.id AND ${rehearsalWas('started')} AND id < finished.id
      ORDER BY id DESC
      LIMIT 1
    ) AS started
    WHERE import_supplier_code = ${'code'}
    ORDER BY finished.id DESC
    LIMIT 1
  )
  SELECT
    finished_at,
    lines,
    (
      SELECT count(*)::integer
      FROM account_imports
      WHERE import_supplier_code = ${'code'}
        AND state IN ('STAGED', 'FAILED')
        AND updated_at >= started_at
    ) AS accounts_changed,
    (
      SELECT count(*)::integer
      FROM audit_events
      WHERE subject_id = ${'import_supplier_id'}
        AND action = 'updated'
        AND occurred_at >= started_at
    ) AS settings_changed
  FROM rehearsal`;

/** Of as many accounts that are to be compared again, some may be of any import supplier. */
const MAY_BE_OF_ANY = rawSql('10000');

/** Whether no meter points of an import supplier are to be compared again. */
export const IS_COMPARED_AGAIN = sql('is-compared-again', { is_compared_again: 'boolean' })`
  SELECT count(*) < ${MAY_BE_OF_ANY} AND NOT coalesce(bool_or(import_supplier_code = ${'code'}), false) AS is_compared_again
  FROM (
    SELECT account_import_id
    FROM meter_point_changes
    ORDER BY id
    LIMIT ${MAY_BE_OF_ANY}
  ) AS change
  JOIN account_imports AS import ON import.id = account_import_id`;

/**
 * What is not done yet of an import supplier. An account is in progress while a call holds its lock, whose number is
 * the first half of the account's id; each lock is looked up by that. Problems are counted as they were added
 * up, and what has changed since is corrected. `is_compared`: so were the meter points of all accounts, once.
 */
export const COUNT_WORK_LEFT = sql('count-work-left', {
  unfinished_jobs: 'integer',
  accounts_in_progress: 'integer',
  failed_accounts: 'integer',
  open_problems: 'integer',
  undecided_remarks: 'integer',
  is_compared: 'boolean',
})`
  SELECT
    (
      SELECT count(*)::integer
      FROM bulk_jobs
      WHERE import_supplier_code = ${'code'}
        AND state IN ('PLANNING', 'RUNNING', 'PAUSED')
    ) AS unfinished_jobs,
    (
      SELECT count(*)::integer
      FROM (
        SELECT DISTINCT lpad(to_hex(classid::bigint), 8, '0') || lpad(to_hex(objid::bigint), 8, '0') AS half
        FROM pg_locks
        WHERE locktype = 'advisory'
          AND objsubid = 1
          AND mode = 'ExclusiveLock'
          AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      ) AS held
      JOIN account_imports AS import
        ON import.id >= (half || '0000000000000000')::uuid AND import.id <= (half || 'ffffffffffffffff')::uuid
      WHERE import.import_supplier_code IS NOT DISTINCT FROM ${'code'}
    ) AS accounts_in_progress,
    (
      SELECT count(*)::integer
      FROM account_imports
      WHERE import_supplier_code = ${'code'}
        AND state = 'FAILED'
    ) AS failed_accounts,
    (
      SELECT count(*)::integer
      FROM import_problems
      WHERE import_supplier_code = ${'code'} AND is_refusal AND accounts > 0
    ) + (
      SELECT coalesce(sum((before + change > 0)::integer - (before > 0)::integer), 0)::integer
      FROM (
        SELECT coalesce(max(accounts), 0) AS before, sum(change) AS change
        FROM import_problem_changes AS changed
        LEFT JOIN import_problems AS known ON known.id = problem_id
        WHERE changed.import_supplier_code = ${'code'} AND changed.is_refusal
        GROUP BY problem_id
      ) AS counted
    ) AS open_problems,
    (
      SELECT count(*)::integer
      FROM (
        SELECT id, operation, code, attr
        FROM (
          SELECT id, operation, code, attr, accounts
          FROM import_problems
          WHERE import_supplier_code = ${'code'} AND NOT is_refusal
          UNION ALL
          SELECT problem_id, operation, split_part(problem, ' ', 1), split_part(problem, ' ', 2), change
          FROM import_problem_changes
          WHERE import_supplier_code = ${'code'} AND NOT is_refusal
        ) AS counted
        WHERE code = ANY (${'blocking_codes'}::text[])
        GROUP BY id, operation, code, attr
        HAVING sum(accounts) > 0
      ) AS remark
      WHERE NOT EXISTS (
        SELECT
        FROM remark_decisions AS decided
        WHERE import_supplier_code = ${'code'}
          AND decided.operation = remark.operation
          AND decided.code = remark.code
          AND decided.attr = remark.attr
          AND (decision = 'ACCEPTED' OR NOT EXISTS (
            SELECT
            FROM import_problem_accounts AS account
            WHERE account.problem_id = remark.id AND last_seen_at > decided_at
          ))
      )
    ) AS undecided_remarks,
    NOT EXISTS (
      SELECT
      FROM unnest(enum_range(NULL::account_import_state)) AS wanted (state)
      CROSS JOIN LATERAL (
        SELECT
        FROM account_imports AS import
        WHERE import.import_supplier_code = ${'code'}
          AND import.state = wanted.state
          AND import.staging_order > coalesce((
            SELECT staging_order
            FROM meter_point_cursors
            WHERE import_supplier_code = ${'code'}
          ), 0)
        LIMIT 1
      ) AS later
    ) AS is_compared`;

/**
 * The last reconciliation of an import supplier with a manifest that is in force, the accounts in which the two differ,
 * and how many accounts were undone and created that it has not seen: by their number, because one whose creation was in flight when
 * it finished has an earlier time. No row if there was none. What is FINISHED has `finished_at`: a constraint.
 */
export const COUNT_SINCE_RECONCILIATION = sql('count-since-reconciliation', {
  verdict: narrow<ReconciliationVerdict>('text'),
  finished_at: 'timestamptz',
  differing_accounts: 'integer',
  signed_off_person: 'text | null',
  created_since: 'integer',
  undone_since: 'integer',
})`
  WITH reconciliation AS MATERIALIZED (
    SELECT reconciliation.*
    FROM reconciliations AS reconciliation
    JOIN manifests AS manifest ON manifest.id = manifest_id
    WHERE reconciliation.import_supplier_code = ${'code'}
      AND reconciliation.state = 'FINISHED'
      AND manifest.state = 'SEALED'
    ORDER BY reconciliation.finished_at DESC
    LIMIT 1
  )
  SELECT
    verdict::text AS verdict,
    coalesce(finished_at, created_at) AS finished_at,
    coalesce(missing + extra + not_created + skipped + different, 0) AS differing_accounts,
    signed_off_person,
    (
      SELECT count(*)::integer
      FROM account_imports
      WHERE import_supplier_code = ${'code'} AND state = 'COMPLETED'
    ) - coalesce((actual->>'accounts')::integer, 0) AS created_since,
    ${undoneOf(fragment`${'code'}`)} - undone_before AS undone_since
  FROM reconciliation`;

/** Whether an import supplier has this code. */
export const IS_IMPORT_SUPPLIER = sql('is-import-supplier', { code: 'text' })`
  SELECT code
  FROM import_suppliers
  WHERE code = ${'code'}`;
