import {
  type AccountImportState,
  LIMITS,
  type ListByProblemRequest,
  type ListProblemsRequest,
  type Problem,
  type ProblemAccount,
  type RefusedOperation,
  type RemarkDecision,
} from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { accountImportId } from '../shared/derived-id.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';

/**
 * The problems of an import supplier (behaviour 4.15): its open refusals and reports by operation, code and field,
 * those of most accounts first. The time that it takes depends on the number of problems, not of accounts. Refuses with
 * `import_supplier_does_not_exist`.
 */
export async function listProblems(context: Context, request: ListProblemsRequest): Promise<Problem[]> {
  const { import_supplier_code, limit = LIMITS.problems_default } = request;
  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');
  const rows = await context.database.query(LIST_PROBLEMS, { import_supplier_code, limit });
  return rows.map(({ is_refusal, ...row }) => ({ ...withUtcDatetimes(row), refused: is_refusal }));
}

/**
 * The problems of an import supplier, those of most accounts first: as last added up, with what has changed since. Each
 * with the accounts in which it was seen last.
 *
 * - `most`: a range of the index, however many problems there are. What has not changed since is among the first `limit`
 *   only if it was among the first `limit` and as many more as have changed.
 */
const LIST_PROBLEMS = sql('list-problems', {
  operation: narrow<RefusedOperation>('text'),
  is_refusal: 'boolean',
  code: narrow<Problem['code']>('text'),
  attr: 'text',
  accounts: 'integer',
  first_seen_at: 'timestamptz',
  last_seen_at: 'timestamptz',
  sample_account_numbers: narrow<string[]>('text[]'),
  decision: narrow<RemarkDecision | null>('text | null'),
  reason: 'text | null',
})`
  WITH changed AS MATERIALIZED (
    SELECT problem_id AS id, operation, is_refusal, split_part(problem, ' ', 1) AS code,
      split_part(problem, ' ', 2) AS attr, sum(change) AS accounts, min(changed_at) FILTER (WHERE change > 0) AS first_seen_at
    FROM import_problem_changes
    WHERE import_supplier_code = ${'import_supplier_code'}
    GROUP BY problem_id, operation, is_refusal, problem
  ),
  most AS (
    SELECT id, operation, is_refusal, code, attr, accounts, first_seen_at
    FROM import_problems
    WHERE import_supplier_code = ${'import_supplier_code'} AND accounts > 0
    ORDER BY accounts DESC, is_refusal, id
    LIMIT ${'limit'} + (SELECT count(*) FROM changed)
  ),
  counted AS (
    SELECT *
    FROM most
    UNION
    SELECT known.id, known.operation, known.is_refusal, known.code, known.attr, known.accounts,
      CASE WHEN known.accounts > 0 THEN known.first_seen_at END
    FROM changed
    JOIN import_problems AS known USING (id)
    UNION ALL
    SELECT id, operation, is_refusal, code, attr, accounts, first_seen_at
    FROM changed
  ),
  problem AS (
    SELECT id, operation, is_refusal, code, attr, sum(accounts)::integer AS accounts, min(first_seen_at) AS first_seen_at
    FROM counted
    GROUP BY id, operation, is_refusal, code, attr
    HAVING sum(accounts) > 0
    ORDER BY sum(accounts) DESC, operation, code, attr
    LIMIT ${'limit'}
  )
  SELECT operation, is_refusal, code, attr, accounts, first_seen_at, last_seen_at, sample_account_numbers, decision,
    reason
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
  LEFT JOIN LATERAL (
    SELECT decision, reason
    FROM remark_decisions AS decided
    WHERE NOT is_refusal
      AND import_supplier_code = ${'import_supplier_code'}
      AND decided.operation = problem.operation
      AND decided.code = problem.code
      AND decided.attr = problem.attr
      AND (decision = 'ACCEPTED' OR last_seen_at <= decided_at)
  ) AS decided ON true
  ORDER BY accounts DESC, operation, code, attr`;

/** Before the id of every account import. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * The accounts of an import supplier that have one problem now, staged or not (behaviour 14.6.8), in the order of their
 * ids: `limit` of them after the account `after`, whether or not that has the problem. Refuses with
 * `import_supplier_does_not_exist`.
 */
export async function listByProblem(
  { database, ...context }: Context,
  { code, problem, limit = LIMITS.list_default, after }: ListByProblemRequest,
): Promise<ProblemAccount[]> {
  await findImportSupplier({ database, ...context }, code, 'code');
  const [found] = await database.query(FIND_PROBLEM, { ...problem, import_supplier_code: code });
  if (found === undefined) return [];
  const { operation, refused } = problem;
  // A report is remembered under its code, a refusal under none.
  const reported = refused ? '' : problem.code;
  const rows = await database.query(LIST_BY_PROBLEM, {
    ...{ operation, reported, limit, problem_id: found.id },
    after_id: after === undefined ? FIRST : accountImportId(code, after),
  });
  return rows.map(withUtcDatetimes);
}

/** In the order of the ids of the account imports, after one of them: a range of the problem's accounts. */
export const LIST_BY_PROBLEM = sql('list-by-problem', {
  external_account_number: 'text',
  service_account_number: 'text | null',
  state: narrow<AccountImportState | null>('text | null'),
  times: 'integer',
  request_id: 'text',
  last_seen_at: 'timestamptz',
})`
  SELECT
    refusal.external_account_number,
    import.service_account_number,
    import.state::text AS state,
    refusal.times,
    refusal.request_id,
    refusal.last_seen_at
  FROM (
    SELECT account_import_id
    FROM import_problem_accounts
    WHERE problem_id = ${'problem_id'} AND account_import_id > ${'after_id'}
    ORDER BY account_import_id
    LIMIT ${'limit'}
  ) AS affected
  CROSS JOIN LATERAL (
    SELECT *
    FROM account_import_refusals
    WHERE account_import_id = affected.account_import_id
      AND operation = ${'operation'}
      AND reported = ${'reported'}
  ) AS refusal
  LEFT JOIN account_imports AS import ON import.id = affected.account_import_id
  ORDER BY affected.account_import_id`;

/** The id of a problem, as it was last added up or has been seen since. No row if no account has it. */
export const FIND_PROBLEM = sql('find-problem', { id: 'uuid | null' })`
  SELECT id
  FROM import_problems
  WHERE import_supplier_code = ${'import_supplier_code'}
    AND operation = ${'operation'}
    AND is_refusal = ${'refused'}
    AND code = ${'code'}
    AND attr = ${'attr'}
  UNION
  SELECT problem_id
  FROM import_problem_changes
  WHERE import_supplier_code = ${'import_supplier_code'}
    AND operation = ${'operation'}
    AND is_refusal = ${'refused'}
    AND split_part(problem, ' ', 1) = ${'code'}
    AND split_part(problem, ' ', 2) = ${'attr'}
  LIMIT 1`;
