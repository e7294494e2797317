import { LIMITS, type ListProblemsRequest, type Problem } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { LIST_PROBLEMS } from './list-problems.sql.ts';

/**
 * The problems of an import supplier (behaviour 4.15): its open refusals and reports by operation, code and field,
 * those of most accounts first. The time that it takes depends on the number of problems, not of accounts. Refuses with
 * `import_supplier_does_not_exist`.
 */
export async function listProblems(context: Context, request: ListProblemsRequest): Promise<Problem[]> {
  const { import_supplier_code, limit = LIMITS.problems_default } = request;
  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');
  const rows = await context.database.query(LIST_PROBLEMS, { import_supplier_code, limit });
  return rows.map(({ is_refusal, first_seen_at, last_seen_at, ...row }) => ({
    ...row,
    refused: is_refusal,
    first_seen_at: utcDatetime(first_seen_at),
    last_seen_at: utcDatetime(last_seen_at),
  }));
}
