import { LIMITS, type ListProgressRequest, type ProgressSample } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { LIST_PROGRESS } from './list-progress.sql.ts';

/**
 * How many accounts of an import supplier were in which state over a time, in at most `progress_points` (a limit)
 * samples (behaviour 14.9). An unknown code is `import_supplier_does_not_exist`.
 */
export async function listProgress(
  context: Context,
  { code, from, to }: ListProgressRequest,
): Promise<ProgressSample[]> {
  await findImportSupplier(context, code, 'code');
  const rows = await context.database.query(LIST_PROGRESS, {
    code,
    from: new Date(from),
    to: new Date(to),
    points: LIMITS.progress_points,
  });
  return rows.map(({ at, ...counts }) => ({ at: utcDatetime(at), ...counts }));
}
