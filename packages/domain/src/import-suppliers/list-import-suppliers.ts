import type { ImportSupplier, ListImportSuppliersRequest } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { pageSize } from '../list-page.ts';
import { importSupplierRecord } from './import-supplier-record.ts';

/** The import suppliers of one organisation or all, in the order of their codes (behaviour 14.4). */
export async function listImportSuppliers(
  context: Context,
  request: ListImportSuppliersRequest,
): Promise<ImportSupplier[]> {
  const { organisation_id, after } = request;
  const rows = await context.database.prisma.importSupplier.findMany({
    take: pageSize(request),
    orderBy: { code: 'asc' },
    where: {
      ...(organisation_id === undefined ? {} : { organisation_id }),
      ...(after === undefined ? {} : { code: { gt: after } }),
    },
  });
  return rows.map((row) => importSupplierRecord(context, row));
}
