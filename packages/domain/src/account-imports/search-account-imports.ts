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
import { searchByNumber } from './search-by-number.ts';
import { STAFF_RECORD, staffAccountImport } from './staff-account-import.ts';

/**
 * The account imports of one supplier for the service team, oldest staged first (behaviour 14.6): all, or those in one
 * state, or the created ones that are complete or not. Those whose external or service account number begins with
 * `search` are in the order of their numbers, unless the complete ones are asked for. One page of `limit`, after the
 * account `after`. Refuses with `import_supplier_does_not_exist`, and with `request_failed_validation` if `after` was
 * never staged.
 */
export async function searchAccountImports(
  context: Context,
  request: StaffListAccountImportsRequest,
): Promise<StaffAccountImport[]> {
  const { code, state, complete, search = '', limit = LIMITS.list_default, after } = request;
  await findImportSupplier(context, code, 'code');
  const last = after === undefined ? undefined : await findLast(context, { code, after });
  const states = state === undefined ? AccountImportState.options : [state];
  if (complete !== undefined) {
    const starts_with = search === '' ? null : literal(search);
    const values = { code, after: String(last?.staging_order ?? 0), starts_with, limit };
    return states.includes('COMPLETED') ? listByCompleteness(context, complete, values) : [];
  }
  if (search !== '') {
    return inOrder(context, await searchByNumber(context, { code, search, states, limit, after: last }));
  }
  return oldestFirst(context, states, { code, limit, after: last?.staging_order ?? 0n });
}

/** The account after which a page begins. */
async function findLast({ database }: Context, { code, after }: { code: string; after: string }) {
  const last = await database.prisma.accountImport.findUnique({
    where: { id: accountImportId(code, after) },
    select: { staging_order: true, external_account_number: true, ...STAFF_RECORD.include },
  });
  if (last === null) throw invalidAfter();
  return { ...last, service_account_number: last.account?.service_account_number ?? null };
}

/** Reads each state's page in index order, then merges: a query over all states would sort them all. */
async function oldestFirst(
  { database: { prisma } }: Context,
  states: readonly AccountImportState[],
  { code, limit, after }: { code: string; limit: number; after: bigint },
): Promise<StaffAccountImport[]> {
  const pageOf = (state: AccountImportState) =>
    prisma.accountImport.findMany({
      where: { import_supplier_code: code, state, staging_order: { gt: after } },
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

async function inOrder({ database }: Context, ids: string[]): Promise<StaffAccountImport[]> {
  const rows = await database.prisma.accountImport.findMany({ where: { id: { in: ids } }, ...STAFF_RECORD });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []).map(staffAccountImport);
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

/** As a pattern of LIKE. */
function literal(search: string): string {
  return search.replaceAll(/[\\%_]/g, '\\$&');
}
