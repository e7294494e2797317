import type { CountForSkipRequest, CountForSkipResponse, SkipManyRequest, SkipManyResponse } from '@causeway/contracts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { FIND_PROBLEM } from '../refusals/find-problem.sql.ts';
import { COUNT_FOR_SKIP, COUNT_WITH_PROBLEM_FOR_SKIP, SKIP_SOME, SKIP_SOME_WITH_PROBLEM } from './skip-many.sql.ts';

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
