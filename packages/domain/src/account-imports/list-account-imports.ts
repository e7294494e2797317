import { type AccountImportRecord, LIMITS, type ListAccountImportsRequest } from '@causeway/contracts';
import type { RowOf } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { utcDatetimeOrNull } from '../shared/dates.ts';
import { accountImportId, accountKey } from '../shared/derived-id.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { invalidAfter, pageSize } from '../shared/list-page.ts';
import { oneAtATime } from '../shared/one-at-a-time.ts';
import { FIRST_UNSETTLED_PLACE, LISTS, type List, type ListForm, type ListName } from './list-account-imports.sql.ts';

/**
 * One page of a list. `next`: where the page after it begins; absent at the end of the list. A page may have fewer
 * records than were asked for, or none, and still have a next one: after them is a record that another transaction is
 * about to commit.
 */
export interface ListPage {
  records: AccountImportRecord[];
  next?: { after: string | undefined };
}

/** Every account import of the supplier, oldest staged first (behaviour 4.9). See `listPage` for paging and errors. */
export function listAccountImports(context: Context, request: ListAccountImportsRequest): Promise<ListPage> {
  return listPage(context, request, LISTS.listAccountImports);
}

/** The account imports that can still be processed: staged, or failed at their last attempt (behaviour 4.10). */
export function listPendingImports(context: Context, request: ListAccountImportsRequest): Promise<ListPage> {
  return listPage(context, request, LISTS.listPendingImports);
}

/** The account imports that have a platform account, first completed first, in the same shape (behaviour 4.11). */
export function listImportedAccounts(context: Context, request: ListAccountImportsRequest): Promise<ListPage> {
  return listPage(context, request, LISTS.listImportedAccounts);
}

/**
 * One page: at most `limit` records (default 1,000) after the account number `after`. It ends before the first place
 * that may still be taken, so that no record appears later in front of the end of a page. Refuses with
 * `import_supplier_does_not_exist`, and with `request_failed_validation` if `after` was never staged.
 */
async function listPage(context: Context, request: ListAccountImportsRequest, list: List): Promise<ListPage> {
  const { import_supplier_code, after } = request;
  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');
  // Before the records are read: only then are all below it seen.
  const [unsettled] = await context.database.query(FIRST_UNSETTLED_PLACE, { import_supplier_code });
  const unsettledFrom = unsettled?.place ?? '0';
  const read = pageSize(request) > LIMITS.list_default ? readLargePage : readPage;
  const { records, settled } = await read(context, request, { list, unsettledFrom });
  const page = records.slice(0, Math.min(settled, pageSize(request)));
  const last = page.at(-1)?.external_account_number ?? after;
  return records.length === page.length ? { records: page } : { records: page, next: { after: last } };
}

/** How a page is read: one record more than it has, and how many of them are below the first unsettled place. */
type ReadPage = (
  context: Context,
  request: ListAccountImportsRequest,
  from: { list: List; unsettledFrom: string },
) => Promise<{ records: AccountImportRecord[]; settled: number }>;

const readPage: ReadPage = async (context, request, { list, unsettledFrom }) => {
  const { import_supplier_code: code, after } = request;
  const rows = await context.database.query(list.page, {
    import_supplier_code: code,
    limit: pageSize(request) + 1,
    after_id: after === undefined ? null : accountImportId(code, after),
    after_number: after ?? null,
  });
  if (rows.length === 0 && after !== undefined) {
    await placeOf(context, list, { code, after });
  }
  const records = rows.map((row) => ({
    external_account_number: row.external_account_number,
    service_account_number: row.service_account_number,
    account_created_at: utcDatetimeOrNull(row.account_created_at),
  }));
  const settled = rows.findLastIndex(({ place }) => BigInt(place) < BigInt(unsettledFrom)) + 1;
  return { records, settled };
};

/** The same as text, which blocks the event loop for a tenth of the time; one at a time for each caller. */
const readLargePage: ReadPage = async (context, request, { list, unsettledFrom }) => {
  const { import_supplier_code: code, after } = request;
  const values = {
    import_supplier_code: code,
    limit: pageSize(request) + 1,
    place: await placeOf(context, list, { code, after }),
    unsettled_from: unsettledFrom,
  };
  const [page] = await oneAtATime(context.database, 'list-text', () => context.database.query(list.texts.json, values));
  return { records: JSON.parse(`[${page?.text?.slice(1) ?? ''}]`), settled: page?.settled ?? 0 };
};

/** The place in the list after which a page begins; refuses if the account was never staged. */
async function placeOf(
  context: Context,
  { place }: List,
  { code, after }: { code: string; after: string | undefined },
): Promise<string> {
  if (after === undefined) return '0';
  const [known] = await context.database.query(place, accountKey(code, after));
  if (known === undefined) {
    throw invalidAfter();
  }
  return known.place;
}

/** Larger pages are no faster, and several are in memory for each reader. A page never exceeds a list's limit. */
const TEXT_PAGE_SIZE = Math.min(5_000, LIMITS.list);
/** PostgreSQL's largest bigint. */
const LAST_PLACE = '9223372036854775807';

type TextPageRow = RowOf<List['texts'][ListForm]>;

/**
 * The whole list after an account (from its beginning without one), as the text of its records, page after page. As
 * JSON, `,{...},{...}`, byte for byte the `JSON.stringify` output of the procedure's records; else a line each. It has
 * all that was committed when it began; of what is committed meanwhile, it may have a later record and not an earlier
 * one. Each page is read while the previous one is consumed, holds no connection while it waits to be consumed, and
 * waits for its turn: all lists of a caller together use one connection of an instance. Refuses as the procedure does;
 * a database error is thrown in place of the page.
 */
export async function* readListText(
  context: Context,
  { name, form }: { name: ListName; form: ListForm },
  { import_supplier_code: code, after }: { import_supplier_code: string; after: string | undefined },
): AsyncGenerator<string, void> {
  await findImportSupplier(context, code, 'import_supplier_code');
  const text = LISTS[name].texts[form];
  const readBehind = (place: string) => {
    const values = { import_supplier_code: code, limit: TEXT_PAGE_SIZE, place, unsettled_from: LAST_PLACE };
    const reading = oneAtATime(context.database, 'list-text', () => context.database.query(text, values));
    // It is not awaited if the reader has disconnected.
    reading.catch(() => undefined);
    return reading;
  };
  let reading: Promise<TextPageRow[]> | undefined = readBehind(await placeOf(context, LISTS[name], { code, after }));
  while (reading !== undefined) {
    const [page]: TextPageRow[] = await reading;
    const last: string | null = page?.records === TEXT_PAGE_SIZE ? page.place : null;
    reading = last === null ? undefined : readBehind(last);
    if (page?.text) {
      yield page.text;
    }
  }
}
