import type { GetImportSupplierRequest, ImportSupplierCounts, ImportSupplierDetail } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { COUNT_BY_STATE } from './get-import-supplier.sql.ts';
import { importSupplierRecord } from './import-supplier-record.ts';
import { unknownImportSupplier } from './unknown-import-supplier.ts';

/**
 * An import supplier with its configuration and the numbers of its account imports by state (behaviour 14.4). An
 * unknown code is `import_supplier_does_not_exist`.
 */
export async function getImportSupplier(
  context: Context,
  { code }: GetImportSupplierRequest,
): Promise<ImportSupplierDetail> {
  const [row, stateCounts] = await Promise.all([
    context.database.prisma.importSupplier.findUnique({ where: { code } }),
    context.database.query(COUNT_BY_STATE, { code }),
  ]);
  if (row === null) {
    throw unknownImportSupplier();
  }
  const counts: ImportSupplierCounts = { staged: 0, failed: 0, skipped: 0, completed: 0 };
  for (const { state, count } of stateCounts) {
    counts[state] = count;
  }
  return { ...importSupplierRecord(context, row), counts };
}
