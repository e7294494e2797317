import { type AccountImportRecord, LIMITS, type ListAccountImportsRequest } from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import { accountKey } from '../account-key.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { accountImportId } from '../derived-id.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { pageSize } from '../list-page.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { invalidAfter } from './invalid-after.ts';
import { LISTS, type List, type ListName, STAGING_ORDER } from './list-account-imports.sql.ts';

/** Every account import of the supplier, oldest staged first (behaviour 4.9). See `listPage` for paging and errors. */
export function listAccountImports(
  context: Context,
  request: ListAccountImportsRequest,
): Promise<AccountImportRecord[]> {
  return listPage(context, request, LISTS.listAccountImports);
}

/** The account imports that can still be processed: staged, or failed at their last attempt (behaviour 4.10). */
export function listPendingImports(
  context: Context,
  request: ListAccountImportsRequest,
): Promise<AccountImportRecord[]> {
  return listPage(context, request, LISTS.listPendingImports);
}

/** The account imports that have a platform account, in the same record shape (behaviour 4.11). */
export function listImportedAccounts(
  context: Context,
  request: ListAccountImportsRequest,
): Promise<AccountImportRecord[]> {
  return listPage(context, request, LISTS.listImportedAccounts);
}

/**
 * One page, oldest staged first: `limit` records (default 1,000) after the account number `after`. Refuses with
 * `import_supplier_does_not_exist`, and with `request_failed_validation` if `after` was never staged.
 */
async function listPage(
  context: Context,
  request: ListAccountImportsRequest,
  { page, text }: List,
): Promise<AccountImportRecord[]> {
  const { import_supplier_code: code, after } = request;
  await findImportSupplier(context, code, 'import_supplier_code');
  if (pageSize(request) > LIMITS.list_default) {
    return listLargePage(context, request, text);
  }
  const rows = await context.database.query(page, {
    import_supplier_code: code,
    limit: pageSize(request),
    after_id: after === undefined ? null : accountImportId(code, after),
    after_number: after ?? null,
  });
  if (rows.length === 0 && after !== undefined) {
    await stagingOrderOf(context, code, after);
  }
  return rows.map((row) => ({
    external_account_number: row.external_account_number,
    service_account_number: row.service_account_number,
    account_created_at: row.account_created_at === null ? null : utcDatetime(row.account_created_at),
  }));
}

/** The same as text, which blocks the event loop for a tenth of the time; one at a time for each caller. */
async function listLargePage(
  context: Context,
  request: ListAccountImportsRequest,
  text: List['text'],
): Promise<AccountImportRecord[]> {
  const { import_supplier_code: code, after } = request;
  const staging_order = after === undefined ? '0' : await stagingOrderOf(context, code, after);
  const values = { import_supplier_code: code, limit: pageSize(request), staging_order };
  const [page] = await oneAtATime(context.database, 'list-text', () => context.database.query(text, values));
  return JSON.parse(`[${page?.text?.slice(1) ?? ''}]`);
}

/** The account's position in the lists; refuses if it was never staged. */
async function stagingOrderOf(context: Context, code: string, after: string): Promise<string> {
  const [known] = await context.database.query(STAGING_ORDER, accountKey(code, after));
  if (known === undefined) {
    throw invalidAfter();
  }
  return known.staging_order;
}

/** Larger pages are no faster, and several are in memory for each reader. A page never exceeds a list's limit. */
const TEXT_PAGE_SIZE = Math.min(5_000, LIMITS.list);

type TextPageRow = RowOf<List['text']>;

/**
 * The whole list after an account, as the JSON text of its records, page after page: `,{...},{...}`, byte for byte the
 * `JSON.stringify` output of the procedure's records. Each page is read while the previous one is consumed, holds no
 * connection while it waits to be consumed, and waits for its turn: all lists of a caller together use one connection
 * of an instance. Refuses as the procedure does; a database error is thrown in place of the page.
 */
export async function* readListText(
  context: Context,
  name: ListName,
  { import_supplier_code: code, after }: { import_supplier_code: string; after: string },
): AsyncGenerator<string, void> {
  await findImportSupplier(context, code, 'import_supplier_code');
  const readBehind = (staging_order: string) => {
    const values = { import_supplier_code: code, limit: TEXT_PAGE_SIZE, staging_order };
    const reading = oneAtATime(context.database, 'list-text', () => context.database.query(LISTS[name].text, values));
    // It is not awaited if the reader has disconnected.
    reading.catch(() => undefined);
    return reading;
  };
  let reading: Promise<TextPageRow[]> | undefined = readBehind(await stagingOrderOf(context, code, after));
  while (reading !== undefined) {
    const [page]: TextPageRow[] = await reading;
    const last: string | null = page?.records === TEXT_PAGE_SIZE ? page.staging_order : null;
    reading = last === null ? undefined : readBehind(last);
    if (page?.text) {
      yield page.text;
    }
  }
}
