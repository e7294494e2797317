import {
  AccountImportState,
  LIMITS,
  type StaffAccountImport,
  type StaffListAccountImportsRequest,
} from '@causeway/contracts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { invalidAfter } from './invalid-after.ts';
import { staffAccountImport } from './staff-account-import.ts';

/**
 * The account imports of one supplier for the service team, oldest staged first (behaviour 14.6): all, or those in one
 * state, or those whose external or service account number begins with `search`. One page of `limit`, after the account
 * `after`. Refuses with `import_supplier_does_not_exist`, and with `request_failed_validation` if `after` was never
 * staged.
 */
export async function searchAccountImports(
  context: Context,
  { code, state, search, limit = LIMITS.list_default, after }: StaffListAccountImportsRequest,
): Promise<StaffAccountImport[]> {
  const { prisma } = context.database;
  await findImportSupplier(context, code, 'code');
  const last =
    after === undefined
      ? undefined
      : await prisma.accountImport.findUnique({
          where: { id: accountImportId(code, after) },
          select: { staging_order: true },
        });
  if (last === null) {
    throw invalidAfter();
  }
  const startsWith = literal(search);
  // Reads each state's page in index order, then merges: a query over all states would sort them all.
  const states = state === undefined ? AccountImportState.options : [state];
  const pageOf = (one: AccountImportState) =>
    prisma.accountImport.findMany({
      where: {
        import_supplier_code: code,
        state: one,
        ...(last === undefined ? {} : { staging_order: { gt: last.staging_order } }),
        ...(startsWith === undefined
          ? {}
          : {
              OR: [
                { external_account_number: { startsWith } },
                { account: { service_account_number: { startsWith } } },
              ],
            }),
      },
      omit: { payload: true },
      include: { account: { select: { service_account_number: true } } },
      orderBy: { staging_order: 'asc' },
      take: limit,
    });
  // In one snapshot: between two queries an account could change its state, and appear twice or not at all.
  const pages = await prisma.$transaction(states.map(pageOf), { isolationLevel: 'RepeatableRead' });
  const rows = pages.flat();
  rows.sort((one, other) => Number(one.staging_order - other.staging_order));
  return rows.slice(0, limit).map(staffAccountImport);
}

/** Prisma turns it into a LIKE pattern and does not escape the wildcards in it. */
function literal(search: string | undefined): string | undefined {
  return search?.replaceAll(/[\\%_]/g, '\\$&');
}
