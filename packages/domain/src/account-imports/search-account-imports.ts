import {
  AccountImportState,
  LIMITS,
  type ListedAccountImport,
  type StaffListAccountImportsRequest,
} from '@causeway/contracts';
import { mayOnlyRead } from '../api-keys/refuse-read-only.ts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { COMPLETE_ACCOUNTS, INCOMPLETE_ACCOUNTS } from './complete-accounts.sql.ts';
import { completeOnPage } from './complete-on-page.ts';
import { invalidAfter } from './invalid-after.ts';
import { LIST_OLDEST_FIRST } from './list-oldest-first.sql.ts';
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
): Promise<ListedAccountImport[]> {
  const { code, state, complete, search = '', limit = LIMITS.list_default, after } = request;
  await findImportSupplier(context, code, 'code');
  const last = after === undefined ? undefined : await findLast(context, { code, after });
  const states = state === undefined ? AccountImportState.options : [state];
  const page = { code, limit };
  const place = { ...page, after: String(last?.staging_order ?? 0) };
  if (complete !== undefined) {
    if (!states.includes('COMPLETED')) return [];
    const statement = complete ? COMPLETE_ACCOUNTS : INCOMPLETE_ACCOUNTS;
    const starts_with = search === '' ? null : literal(search);
    return recordsOf(context, await context.database.query(statement, { ...place, starts_with }));
  }
  return recordsOf(
    context,
    search === ''
      ? await context.database.query(LIST_OLDEST_FIRST, { ...place, states: [...states] })
      : await searchByNumber(context, { ...page, search, states, after: last }),
  );
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

/** Their records, in the same order. */
async function recordsOf(context: Context, found: { id: string }[]): Promise<ListedAccountImport[]> {
  const ids = found.map(({ id }) => id);
  const rows = await context.database.prisma.accountImport.findMany({ where: { id: { in: ids } }, ...STAFF_RECORD });
  const masked = mayOnlyRead(context);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const isComplete = await completeOnPage(context, rows);
  return ids
    .flatMap((id) => byId.get(id) ?? [])
    .map((row) => ({ ...staffAccountImport(row, { masked }), complete: isComplete(row) }));
}

/** As a pattern of LIKE. */
function literal(search: string): string {
  return search.replaceAll(/[\\%_]/g, '\\$&');
}
