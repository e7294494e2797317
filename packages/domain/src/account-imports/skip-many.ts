import {
  type CountForSkipRequest,
  type CountForSkipResponse,
  LIMITS,
  type SkipManyRequest,
  type SkipManyResponse,
} from '@causeway/contracts';
import { type Fragment, fragment, rawSql, sql } from '@causeway/db';
import { FIND_PROBLEM } from '../refusals/list-problems.ts';
import { auditedOf, auditValues } from '../shared/audit-values.ts';
import { startsWith } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import { DomainError } from '../shared/errors.ts';
import { eventsOfSkipping } from '../shared/events.sql.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';

/**
 * How many accounts of a filter can be skipped now (behaviour 14.6.7). Refuses with `import_supplier_does_not_exist`.
 */
export async function countForSkip(context: Context, request: CountForSkipRequest): Promise<CountForSkipResponse> {
  const { problem_id, ...values } = await filterValues(context, request);
  const [counted] = await (problem_id === undefined
    ? context.database.query(COUNT_FOR_SKIP, values)
    : context.database.query(COUNT_WITH_PROBLEM_FOR_SKIP, { ...values, problem_id }));
  return { count: counted?.accounts ?? 0 };
}

/**
 * Skips some of the accounts of a filter, as `skipAccountImport` skips one, in one statement: a call that is killed has
 * skipped all of them or none. If the filter has more or fewer accounts than are expected, it skips none and refuses
 * with `account_count_differs`. Refuses with `import_supplier_does_not_exist`.
 */
export async function skipMany(context: Context, request: SkipManyRequest): Promise<SkipManyResponse> {
  const { reason, expected_count } = request;
  const { problem_id, ...filter } = await filterValues(context, request);
  const { id: _ofEach, ...audit } = auditValues(context, '');
  const values = { ...filter, ...audit, reason, expected_count };
  const [done] = await (problem_id === undefined
    ? context.database.query(SKIP_SOME, values)
    : context.database.query(SKIP_SOME_WITH_PROBLEM, { ...values, problem_id }));
  const accounts = done?.accounts ?? 0;
  const skipped = done?.skipped ?? 0;
  if (accounts !== expected_count) {
    const detail = `The filter has ${accounts} accounts now, not ${expected_count}: nothing was skipped.`;
    throw new DomainError('account_count_differs', detail, { attr: 'expected_count' });
  }
  return { skipped, remaining: accounts - skipped };
}

interface FilterValues {
  code: string;
  states: string[];
  number_prefix: string;
  problem_id?: string | null;
}

/** `problem_id` is null for a problem that no account has, and absent if the filter names none. */
async function filterValues(context: Context, { code, filter }: CountForSkipRequest): Promise<FilterValues> {
  await findImportSupplier(context, code, 'code');
  const { state, problem, number_prefix = '' } = filter;
  const values = { code, states: state === undefined ? ['STAGED', 'FAILED'] : [state], number_prefix };
  if (problem === undefined) return values;
  const [found] = await context.database.query(FIND_PROBLEM, { ...problem, import_supplier_code: code });
  return { ...values, problem_id: found?.id ?? null };
}

const IN_FILTER = fragment`import.state = ANY (${'states'}::text[]::account_import_state[])
      AND ${startsWith(fragment`import.external_account_number`, fragment`${'number_prefix'}::text`)}`;

/** By state and number: a range of their index. */
const ALL = fragment`account_imports AS import
    WHERE import.import_supplier_code = ${'code'}
      AND ${IN_FILTER}`;
const WITH_PROBLEM = fragment`import_problem_accounts AS affected
    JOIN account_imports AS import ON import.id = affected.account_import_id
    WHERE affected.problem_id = ${'problem_id'}
      AND import.import_supplier_code IS NOT DISTINCT FROM ${'code'}
      AND ${IN_FILTER}`;

function countOf<Name extends string>(name: string, accounts: Fragment<Name>) {
  return sql(name, { accounts: 'integer' })`
  SELECT count(*)::integer AS accounts
  FROM ${accounts}`;
}

export const COUNT_FOR_SKIP = countOf('count-for-skip', ALL);
export const COUNT_WITH_PROBLEM_FOR_SKIP = countOf('count-with-problem-for-skip', WITH_PROBLEM);

/**
 * Skips some of them, if there are as many as are expected: each in its present state, with its audit event, and its
 * open refusals resolved. Those that are chosen are locked, so they still are in one of the states. It waits for no lock:
 * who is being written to is left for the next call.
 */
function skipSome<Name extends string>(name: string, accounts: Fragment<Name>) {
  return sql(name, { accounts: 'integer | null', skipped: 'integer | null' })`
  WITH counted AS MATERIALIZED (
    SELECT count(*)::integer AS accounts
    FROM ${accounts}
  ),
  chosen AS MATERIALIZED (
    SELECT import.id
    FROM ${accounts}
      AND (SELECT accounts FROM counted) = ${'expected_count'}
    LIMIT ${rawSql(String(LIMITS.skipped_accounts))}
    FOR NO KEY UPDATE OF import SKIP LOCKED
  ),
  skipped AS (
    UPDATE account_imports AS import
    SET state = 'SKIPPED', skip_reason = ${'reason'}, updated_at = ${'at'}, skipped_at = ${'at'}
    FROM chosen
    WHERE import.id = chosen.id
    RETURNING import.id, import.import_supplier_code, import.external_account_number
  ),
  audit AS (
    INSERT INTO audit_events ${auditedOf(rawSql('id'))} 'account_import', 'skipped',
      jsonb_build_object('reason', ${'reason'}::text)
    FROM skipped
  ),
  ${eventsOfSkipping('skipped')},
  resolved AS (
    UPDATE account_import_refusals
    SET resolved_at = ${'at'}
    FROM skipped
    WHERE account_import_id = skipped.id AND resolved_at IS NULL
  )
  SELECT (SELECT accounts FROM counted) AS accounts, (SELECT count(*)::integer FROM skipped) AS skipped`;
}

export const SKIP_SOME = skipSome('skip-some', ALL);
export const SKIP_SOME_WITH_PROBLEM = skipSome('skip-some-with-problem', WITH_PROBLEM);
