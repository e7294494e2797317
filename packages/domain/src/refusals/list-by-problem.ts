import { LIMITS, type ListByProblemRequest, type ProblemAccount } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { accountImportId } from '../derived-id.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { FIND_PROBLEM } from './find-problem.sql.ts';
import { LIST_BY_PROBLEM } from './list-by-problem.sql.ts';

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
  return rows.map((row) => ({ ...row, last_seen_at: utcDatetime(row.last_seen_at) }));
}
