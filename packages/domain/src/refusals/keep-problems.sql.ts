import { fragment, sql } from '@causeway/db';

/** One instance at a time adds up; the others have nothing to do. */
const LOCKED = fragment`(SELECT pg_try_advisory_xact_lock(4210004))`;

/** Adds the oldest changes up into the problems. */
export const ADD_UP_CHANGES = sql('add-up-problem-changes', { changes: 'integer', codes: 'text[] | null' })`
  WITH lock AS MATERIALIZED (
    SELECT ${LOCKED} AS held
  ),
  taken AS (
    DELETE FROM import_problem_changes
    WHERE id = ANY (ARRAY(
      SELECT change.id
      FROM lock
      CROSS JOIN LATERAL (
        SELECT id
        FROM import_problem_changes
        WHERE held
        ORDER BY id
        LIMIT ${'limit'}
      ) AS change
    ))
    RETURNING *
  ),
  added AS (
    INSERT INTO import_problems AS known
      (id, import_supplier_code, operation, is_refusal, code, attr, accounts, first_seen_at)
    SELECT problem_id, import_supplier_code, operation, is_refusal, split_part(problem, ' ', 1),
      split_part(problem, ' ', 2), sum(change), coalesce(min(changed_at) FILTER (WHERE change > 0), min(changed_at))
    FROM taken
    GROUP BY problem_id, import_supplier_code, operation, is_refusal, problem
    ORDER BY problem_id
    ON CONFLICT (id) DO UPDATE SET
      accounts = known.accounts + excluded.accounts,
      first_seen_at = CASE
        WHEN known.accounts = 0 THEN excluded.first_seen_at
        ELSE least(known.first_seen_at, excluded.first_seen_at)
      END
  )
  SELECT count(*)::integer AS changes, array_agg(DISTINCT import_supplier_code) AS codes
  FROM taken`;

/**
 * Replaces the oldest counts of incomplete accounts by their sums, one an import supplier: their sum stays the same.
 * `replaced` is 0 if nothing was to add.
 */
export const ADD_UP_INCOMPLETE = sql('add-up-incomplete-accounts', { replaced: 'integer' })`
  WITH lock AS MATERIALIZED (
    SELECT ${LOCKED} AS held
  ),
  oldest AS MATERIALIZED (
    SELECT count.id, count.import_supplier_code
    FROM lock
    CROSS JOIN LATERAL (
      SELECT id, import_supplier_code
      FROM incomplete_account_counts
      WHERE held
      ORDER BY id
      LIMIT ${'limit'}
    ) AS count
  ),
  taken AS (
    DELETE FROM incomplete_account_counts
    WHERE id IN (
      SELECT id
      FROM oldest
      WHERE import_supplier_code IN (
        SELECT import_supplier_code
        FROM oldest
        GROUP BY import_supplier_code
        HAVING count(*) > 1
      )
    )
    RETURNING import_supplier_code, accounts
  ),
  added AS (
    INSERT INTO incomplete_account_counts (import_supplier_code, accounts)
    SELECT import_supplier_code, sum(accounts)
    FROM taken
    GROUP BY import_supplier_code
    HAVING sum(accounts) <> 0
  )
  SELECT count(*)::integer AS replaced
  FROM taken`;

/** A problem that no account has any more; it is added again if one does. */
export const REMOVE_SOLVED_PROBLEMS = sql('remove-solved-problems')`
  DELETE FROM import_problems
  WHERE accounts = 0 AND ${LOCKED}`;

/**
 * Those of these import suppliers with more open refusals of numbers that were never staged than `limit`, and the first
 * one too old.
 */
export const FIND_TOO_MANY_UNSTAGED = sql('find-too-many-refusals-of-unstaged', {
  code: 'text',
  last_seen_at: 'timestamptz',
})`
  SELECT supplier.code, oldest.last_seen_at
  FROM unnest(${'codes'}::text[]) AS supplier (code)
  CROSS JOIN LATERAL (
    SELECT last_seen_at
    FROM account_import_refusals
    WHERE import_supplier_code = supplier.code AND resolved_at IS NULL AND NOT is_staged
    ORDER BY last_seen_at DESC
    OFFSET ${'limit'}
    LIMIT 1
  ) AS oldest`;

/** Of those up to that time. One whose account was being staged when it was refused only looks as if it never was. */
export const REMOVE_UNSTAGED = sql('remove-refusals-of-unstaged', { account_import_id: 'uuid' })`
  WITH old AS MATERIALIZED (
    SELECT account_import_id, operation, reported, EXISTS (
      SELECT
      FROM account_imports
      WHERE id = account_import_id
    ) AS is_staged_by_now
    FROM account_import_refusals
    WHERE import_supplier_code = ${'code'}
      AND resolved_at IS NULL
      AND NOT is_staged
      AND last_seen_at <= ${'last_seen_at'}
    ORDER BY last_seen_at
    LIMIT ${'limit'}
    FOR UPDATE SKIP LOCKED
  ),
  kept AS (
    UPDATE account_import_refusals
    SET is_staged = true
    WHERE (account_import_id, operation, reported) IN (
      SELECT account_import_id, operation, reported
      FROM old
      WHERE is_staged_by_now
    )
  )
  DELETE FROM account_import_refusals
  WHERE (account_import_id, operation, reported) IN (
    SELECT account_import_id, operation, reported
    FROM old
    WHERE NOT is_staged_by_now
  )
  RETURNING account_import_id`;

export const PURGE_RESOLVED_REFUSALS = sql('purge-resolved-refusals', { account_import_id: 'uuid' })`
  DELETE FROM account_import_refusals
  WHERE (account_import_id, operation, reported) IN (
    SELECT account_import_id, operation, reported
    FROM account_import_refusals
    WHERE resolved_at < ${'resolved_before'}
      AND (
        SELECT state = 'SKIPPED'
        FROM account_imports
        WHERE id = account_import_id
      ) IS NOT TRUE
    ORDER BY resolved_at
    LIMIT ${'limit'}
    FOR UPDATE SKIP LOCKED
  )
  RETURNING account_import_id`;
