import {
  AccountImportState,
  LIMITS,
  type StaffAccountImport,
  type StaffListAccountImportsRequest,
} from '@causeway/contracts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { COMPLETE_ACCOUNTS, INCOMPLETE_ACCOUNTS } from './complete-accounts.sql.ts';
import { invalidAfter } from './invalid-after.ts';
import { STAFF_RECORD, staffAccountImport } from './staff-account-import.ts';

/**
 * The account imports of one supplier for the service team, oldest staged first (behaviour 14.6): all, or those in one
 * state, or the created ones that are complete or not, or those whose external or service account number begins with
 * `search`. One page of `limit`, after the account `after`. Refuses with `import_supplier_does_not_exist`, and with
 * `request_failed_validation` if `after` was never staged.
 */
export async function searchAccountImports(
  context: Context,
  { code, state, complete, search, limit = LIMITS.list_default, after }: StaffListAccountImportsRequest,
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
  if (complete !== undefined) {
    const created = state === undefined || state === 'COMPLETED';
    const values = { code, after: String(last?.staging_order ?? 0), starts_with: startsWith ?? null, limit };
    return created ? listByCompleteness(context, complete, values) : [];
  }
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
      ...STAFF_RECORD,
      orderBy: { staging_order: 'asc' },
      take: limit,
    });
  // In one snapshot: between two queries an account could change its state, and appear twice or not at all.
  const pages = await prisma.$transaction(states.map(pageOf), { isolationLevel: 'RepeatableRead' });
  const rows = pages.flat();
  rows.sort((one, other) => Number(one.staging_order - other.staging_order));
  return rows.slice(0, limit).map(staffAccountImport);
}

async function listByCompleteness(
  { database }: Context,
  complete: boolean,
  values: { code: string; after: string; starts_with: string | null; limit: number },
): Promise<StaffAccountImport[]> {
  const found = await database.query(complete ? COMPLETE_ACCOUNTS : INCOMPLETE_ACCOUNTS, values);
  const rows = await database.prisma.accountImport.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    ...STAFF_RECORD,
    orderBy: { staging_order: 'asc' },
  });
  return rows.map(staffAccountImport);
}

/** Prisma turns it into a LIKE pattern and does not escape the wildcards in it. */
function literal(search: string | undefined): string | undefined {
  return search?.replaceAll(/[\\%_]/g, '\\$&');
}
