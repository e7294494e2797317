import { LIMITS, type StaffAccountImport, type StaffListAccountImportsRequest } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { invalidAfter } from './invalid-after.ts';
import { staffAccountImport } from './staff-account-import.ts';

/**
 * The account imports of one supplier for the service team, oldest staged first (design 7): all, or those in one state,
 * or those whose external or service account number begins with `search`. One page of `limit`, after the account `after`.
 * Refuses with `request_failed_validation` where `after` was never staged.
 */
export async function searchAccountImports(
  { database }: Context,
  { code, state, search, limit = LIMITS.list_default, after }: StaffListAccountImportsRequest,
): Promise<StaffAccountImport[]> {
  const last =
    after === undefined
      ? undefined
      : await database.prisma.accountImport.findUnique({ where: { id: accountImportId(code, after) } });
  if (last === null) {
    throw invalidAfter();
  }
  const rows = await database.prisma.accountImport.findMany({
    where: {
      import_supplier_code: code,
      ...(state === undefined ? {} : { state }),
      ...(last === undefined ? {} : { staging_order: { gt: last.staging_order } }),
      ...(search === undefined
        ? {}
        : {
            OR: [
              { external_account_number: { startsWith: search } },
              { account: { service_account_number: { startsWith: search } } },
            ],
          }),
    },
    omit: { payload: true },
    include: { account: { select: { service_account_number: true } } },
    orderBy: { staging_order: 'asc' },
    take: limit,
  });
  return rows.map(staffAccountImport);
}
