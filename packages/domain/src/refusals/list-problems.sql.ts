import type { ImportOperation, Problem } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';

/**
 * The problems of an import supplier, those of most accounts first: as last added up, with what has changed since. Each
 * with the accounts in which it was seen last.
 */
export const LIST_PROBLEMS = sql('list-problems', {
  operation: narrow<ImportOperation>('text'),
  is_refusal: 'boolean',
  code: narrow<Problem['code']>('text'),
  attr: 'text',
  accounts: 'integer',
  first_seen_at: 'timestamptz',
  last_seen_at: 'timestamptz',
  sample_account_numbers: narrow<string[]>('text[]'),
})`
  WITH counted AS (
    SELECT id, operation, is_refusal, code, attr, accounts, CASE WHEN accounts > 0 THEN first_seen_at END AS first_seen_at
    FROM import_problems
    WHERE import_supplier_code = ${'import_supplier_code'}
    UNION ALL
    SELECT problem_id, operation, is_refusal, split_part(problem, ' ', 1), split_part(problem, ' ', 2), change,
      CASE WHEN change > 0 THEN changed_at END
    FROM import_problem_changes
    WHERE import_supplier_code = ${'import_supplier_code'}
  ),
  problem AS (
    SELECT id, operation, is_refusal, code, attr, sum(accounts)::integer AS accounts, min(first_seen_at) AS first_seen_at
    FROM counted
    GROUP BY id, operation, is_refusal, code, attr
    HAVING sum(accounts) > 0
    ORDER BY sum(accounts) DESC, operation, code, attr
    LIMIT ${'limit'}
  )
  SELECT operation, is_refusal, code, attr, accounts, first_seen_at, last_seen_at, sample_account_numbers
  FROM problem
  CROSS JOIN LATERAL (
    SELECT
      max(last_seen_at) AS last_seen_at,
      array_agg(external_account_number ORDER BY last_seen_at DESC, external_account_number) AS sample_account_numbers
    FROM (
      SELECT account.last_seen_at, (
        SELECT external_account_number
        FROM account_import_refusals AS refusal
        WHERE refusal.account_import_id = account.account_import_id
        LIMIT 1
      ) AS external_account_number
      FROM import_problem_accounts AS account
      WHERE account.problem_id = problem.id
      ORDER BY account.last_seen_at DESC
      LIMIT 3
    ) AS latest
  ) AS sample
  ORDER BY accounts DESC, operation, code, attr`;
