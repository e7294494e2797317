import {
  type AccountImportRecord,
  type AccountImportState,
  LIMITS,
  type ListAccountImportsRequest,
} from '@causeway/contracts';
import { type Statement, statement } from '@causeway/db';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { accountImportId } from '../derived-id.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { pageSize } from '../list-page.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { invalidAfter } from './invalid-after.ts';

/** Every account import of the supplier, oldest staged first (specification 4.9). See `listPage` for paging and errors. */
export function listAccountImports(
  context: Context,
  request: ListAccountImportsRequest,
): Promise<AccountImportRecord[]> {
  return listPage(context, request, LISTS.listAccountImports);
}

/** The account imports that can still be processed: staged, or failed at their last attempt (specification 4.10). */
export function listPendingImports(
  context: Context,
  request: ListAccountImportsRequest,
): Promise<AccountImportRecord[]> {
  return listPage(context, request, LISTS.listPendingImports);
}

/** The account imports that have a platform account, in the same record shape (specification 4.11). */
export function listImportedAccounts(
  context: Context,
  request: ListAccountImportsRequest,
): Promise<AccountImportRecord[]> {
  return listPage(context, request, LISTS.listImportedAccounts);
}

interface List {
  page: Statement;
  text: Statement;
}

/** The lists, by the names of their procedures. */
const LISTS = {
  listAccountImports: listOf('list-account-imports', ['STAGED', 'FAILED', 'SKIPPED', 'COMPLETED']),
  listPendingImports: listOf('list-pending-imports', ['STAGED', 'FAILED']),
  listImportedAccounts: listOf('list-imported-accounts', ['COMPLETED']),
} satisfies Record<string, List>;
export type ListName = keyof typeof LISTS;

function listOf(name: string, states: AccountImportState[]): List {
  return { page: statement(name, pageStatement(states)), text: statement(`${name}-text`, textStatement(states)) };
}

/** One page as rows: `limit` $2 of the supplier $1 behind the account import $3, whose number is $4, or from the first. */
function pageStatement(states: AccountImportState[]): string {
  return `WITH after AS MATERIALIZED (
      SELECT 0 AS staging_order WHERE $3::uuid IS NULL
      UNION ALL SELECT staging_order FROM account_imports
      WHERE id = $3 AND import_supplier_code = $1 AND external_account_number = $4
    )
    SELECT external_account_number, service_account_number, account_created_at FROM ${recordsOf(states)} ORDER BY staging_order`;
}

// PostgreSQL escapes what JSON.stringify escapes, in the same way (a test compares all of it), and a text takes a tenth
// of the time of as many rows: 1.3 microseconds a record here and 0.2 in Node, where rows took 20.
/** One page as JSON text, each record behind a comma: `limit` $2 of the supplier $1 behind the staging order $3. */
function textStatement(states: AccountImportState[]): string {
  return `WITH after AS MATERIALIZED (SELECT $3::bigint AS staging_order)
    SELECT count(*)::integer AS records, max(staging_order) AS staging_order, string_agg(
        ',{"external_account_number":' || to_json(external_account_number) || CASE WHEN service_account_number IS NULL
          THEN ',"service_account_number":null,"account_created_at":null}'
          ELSE ',"service_account_number":' || to_json(service_account_number) || ',"account_created_at":' ||
            coalesce(left(to_json(account_created_at)::text, 20) || 'Z"', 'null') || '}'
        END, '' ORDER BY staging_order) AS text
    FROM ${recordsOf(states)}`;
}

// One ordered index range a state, merged: the page costs its own length, however many imports there are. The limit
// inside is a constant, so that the plan that is kept for any $2 is that of a page too. OFFSET 0 keeps PostgreSQL from
// reading all accounts to join them; it looks for the few only that have no copy of their number.
function recordsOf(states: AccountImportState[]): string {
  const ranges = states.map(
    (state) => `(SELECT id, state, external_account_number, service_account_number, completed_at, staging_order
      FROM account_imports
      WHERE import_supplier_code = $1 AND state = '${state}' AND staging_order > (SELECT staging_order FROM after)
      ORDER BY staging_order LIMIT ${LIMITS.list})`,
  );
  return `(
      SELECT import.staging_order, import.external_account_number,
        coalesce(import.service_account_number, account.service_account_number) AS service_account_number,
        coalesce(account.created_at, import.completed_at) AS account_created_at
      FROM (SELECT * FROM (${ranges.join(' UNION ALL ')}) AS ranges ORDER BY staging_order LIMIT $2) AS import
      LEFT JOIN LATERAL (
        SELECT service_account_number, created_at FROM accounts
        WHERE import.state = 'COMPLETED' AND import.service_account_number IS NULL AND account_import_id = import.id
        OFFSET 0
      ) AS account ON true
    ) AS record`;
}

const STAGING_ORDER = statement(
  'staging-order',
  `SELECT staging_order FROM account_imports
  WHERE id = $1 AND import_supplier_code = $2 AND external_account_number = $3`,
);

interface AccountImportRecordRow {
  external_account_number: string;
  service_account_number: string | null;
  account_created_at: Date | null;
}

/**
 * One page, oldest staged first: `limit` records (1,000 unless given) after the account number `after`.
 * Refuses with `import_supplier_does_not_exist`, and `request_failed_validation` where `after` was never staged.
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
  const key = [after === undefined ? null : accountImportId(code, after), after ?? null];
  const rows = await context.database.query<AccountImportRecordRow>(page, [code, pageSize(request), ...key]);
  if (rows.length === 0 && after !== undefined) {
    await stagingOrderOf(context, code, after);
  }
  return rows.map((row) => ({
    external_account_number: row.external_account_number,
    service_account_number: row.service_account_number,
    account_created_at: row.account_created_at === null ? null : utcDatetime(row.account_created_at),
  }));
}

/** The same as text, which keeps the event loop for a tenth of the time; one at a time for each caller. */
async function listLargePage(
  context: Context,
  request: ListAccountImportsRequest,
  text: Statement,
): Promise<AccountImportRecord[]> {
  const { import_supplier_code: code, after } = request;
  const stagingOrder = after === undefined ? '0' : await stagingOrderOf(context, code, after);
  const [page] = await oneAtATime(context.database, 'list-text', () =>
    context.database.query<TextPageRow>(text, [code, pageSize(request), stagingOrder]),
  );
  return JSON.parse(`[${page?.text?.slice(1) ?? ''}]`);
}

/** The account's place in the lists; refuses where it was never staged. */
async function stagingOrderOf(context: Context, code: string, after: string): Promise<string> {
  const values = [accountImportId(code, after), code, after];
  const [known] = await context.database.query<{ staging_order: string }>(STAGING_ORDER, values);
  if (known === undefined) {
    throw invalidAfter();
  }
  return known.staging_order;
}

/** As large as makes a difference: several are in memory for each reader. A page has no more than a list's limit. */
const TEXT_PAGE_SIZE = Math.min(5_000, LIMITS.list);

interface TextPageRow {
  records: number;
  staging_order: string;
  text: string | null;
}

/**
 * The whole list behind an account, as the JSON text of its records, page after page: `,{...},{...}`, byte for byte
 * what `JSON.stringify` makes of the procedure's records. Each page is read while the one before it is taken, holds no
 * connection while it waits to be taken, and waits for its turn: all lists of a caller together use one connection of
 * an instance. Refuses as the procedure does; an error of the database is thrown where the page would be.
 */
export async function* readListText(
  context: Context,
  name: ListName,
  { import_supplier_code: code, after }: { import_supplier_code: string; after: string },
): AsyncGenerator<string, void> {
  await findImportSupplier(context, code, 'import_supplier_code');
  const readBehind = (stagingOrder: string) => {
    const values = [code, TEXT_PAGE_SIZE, stagingOrder];
    const reading = oneAtATime(context.database, 'list-text', () =>
      context.database.query<TextPageRow>(LISTS[name].text, values),
    );
    // Nobody asks for it where the reader has left.
    reading.catch(() => undefined);
    return reading;
  };
  let reading: Promise<TextPageRow[]> | undefined = readBehind(await stagingOrderOf(context, code, after));
  while (reading !== undefined) {
    const [page]: TextPageRow[] = await reading;
    reading = page?.records === TEXT_PAGE_SIZE ? readBehind(page.staging_order) : undefined;
    if (page?.text) {
      yield page.text;
    }
  }
}
