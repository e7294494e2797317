import {
  type ListOwnImportSuppliersRequest,
  OwnImportSupplier,
  type OwnImportSupplierRequest,
} from '@causeway/contracts';
import type { ImportSupplier as ImportSupplierRow } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { pageSize } from '../shared/list-page.ts';
import { importSupplierRecord } from './import-supplier-record.ts';

/**
 * One import supplier that the caller may see, with its present status (behaviour 21.6). Refuses with
 * `import_supplier_does_not_exist`.
 */
export async function getOwnImportSupplier(
  context: Context,
  { import_supplier_code: code }: OwnImportSupplierRequest,
): Promise<OwnImportSupplier> {
  await findImportSupplier(context, code, 'import_supplier_code');
  const row = await context.database.prisma.importSupplier.findUniqueOrThrow({ where: { code } });
  return ownRecord(context, row);
}

/**
 * One page of the caller's import suppliers in the order of their codes (behaviour 21.6): `limit` (default 1,000) after
 * the code `after`. The service team sees all.
 */
export async function listOwnImportSuppliers(
  context: Context,
  request: ListOwnImportSuppliersRequest,
): Promise<{ records: OwnImportSupplier[]; next?: { after: string } }> {
  const { actor, database } = context;
  const rows = await database.prisma.importSupplier.findMany({
    take: pageSize(request) + 1,
    orderBy: { code: 'asc' },
    where: {
      ...(actor.kind === 'staff' ? {} : { organisation_id: actor.organisationId }),
      ...(request.after === undefined ? {} : { code: { gt: request.after } }),
    },
  });
  const records = rows.slice(0, pageSize(request)).map((row) => ownRecord(context, row));
  const last = records.at(-1);
  return last === undefined || rows.length === records.length ? { records } : { records, next: { after: last.code } };
}

function ownRecord(context: Context, row: ImportSupplierRow): OwnImportSupplier {
  return OwnImportSupplier.parse({ ...importSupplierRecord(context, row), time_zone: context.timeZone });
}
