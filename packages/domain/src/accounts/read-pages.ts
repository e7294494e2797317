import {
  asStored,
  LIMITS,
  Note,
  type ReadAccountNotesRequest,
  type ReadAccountRequest,
  type ReadAccountStatementsRequest,
  type ReadAccountTransactionsRequest,
  type ReadPaymentInstructionRequest,
  Statement,
  StatementAsStored,
  StoredNote,
  StoredPaymentInstruction,
  StoredTransaction,
  Transaction,
} from '@causeway/contracts';
import type { Queryable, RowOf } from '@causeway/db';
import { accountNotStaged } from '../account-imports/refuse-unless-pending.ts';
import type { Context } from '../shared/context.ts';
import { type AccountKey, accountKey } from '../shared/derived-id.ts';
import { DomainError, invalidField } from '../shared/errors.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { pageSize } from '../shared/list-page.ts';
import { withoutErased } from './mask-account.ts';
import { recordView } from './read-account.ts';
import { READ_NOTES, READ_PAYMENT_INSTRUCTIONS, READ_STATEMENTS, READ_TRANSACTIONS } from './read-pages.sql.ts';
import { objectOf } from './stored-document.ts';

/** One page of what is stored of an account. */
export interface StoredPage<Item> {
  records: Item[];
  /** Where the next page begins, as the request of it; absent on the last page. */
  next: Record<string, string | number | undefined> | undefined;
}

/** From here on, reading a page keeps the event loop noticeably. */
const LARGE_CHARACTERS = 64_000;

const MOST_INSTRUCTIONS = LIMITS.payment_instructions + LIMITS.superseded_payment_instructions;

type Row = Record<string, unknown>;
type Schema = Parameters<typeof asStored>[0];
type PageRow = RowOf<typeof READ_NOTES>;

/**
 * The notes of an account in the order in which they were added (behaviour 4.16.3): `limit` (default 1,000) after the
 * first `after`. See `readPage` for errors.
 */
export async function listAccountNotes(
  context: Context,
  request: ReadAccountNotesRequest,
): Promise<StoredPage<StoredNote>> {
  const page = { after: request.after ?? 0, limit: pageSize(request) };
  const { rows, more } = await readPage(context, request, (database, key) =>
    database.query(READ_NOTES, { ...key, ...page }),
  );
  const records = rows.map(({ document_paths, is_generated, ...row }) => {
    const documents = (document_paths as string[] | null)?.map((document_path) => ({ document_path })) ?? [];
    const told = is_generated === true && { is_generated };
    return recordOf<StoredNote>(StoredNote, Note, {
      ...row,
      ...told,
      document_paths: documents.length > 0 ? documents : null,
    });
  });
  return withNext(records, more, ({ position }) => ({ after: position }));
}

/**
 * The transactions of an account by `transaction_id` (behaviour 4.16.3): `limit` (default 1,000) after the one with
 * `after`. See `readPage` for errors.
 */
export async function listAccountTransactions(
  context: Context,
  request: ReadAccountTransactionsRequest,
): Promise<StoredPage<StoredTransaction>> {
  const page = { after: request.after ?? '', after_copy: request.after_copy ?? 1, limit: pageSize(request) };
  const { rows, more } = await readPage(context, request, (database, key) =>
    database.query(READ_TRANSACTIONS, { ...key, ...page }),
  );
  const records = rows.map(({ copy, is_historical, ...row }) => {
    const told = { ...(copy !== 1 && { copy }), ...(is_historical === true && { is_historical }) };
    return recordOf<StoredTransaction>(StoredTransaction, Transaction, { ...row, ...told });
  });
  return withNext(records, more, ({ transaction_id, copy }) => ({ after: transaction_id, after_copy: copy }));
}

/**
 * The historical statements of an account by `statement_id` (behaviour 4.16.3): `limit` (default 1,000) after the one
 * with `after`. See `readPage` for errors.
 */
export async function listAccountStatements(
  context: Context,
  request: ReadAccountStatementsRequest,
): Promise<StoredPage<StatementAsStored>> {
  const page = { after: request.after ?? '', limit: pageSize(request) };
  const { rows, more } = await readPage(context, request, (database, key) =>
    database.query(READ_STATEMENTS, { ...key, ...page }),
  );
  const records = rows.map((row) => recordOf<StatementAsStored>(StatementAsStored, Statement, row));
  return withNext(records, more, ({ statement_id }) => ({ after: statement_id }));
}

/** The payment instructions of an account by type, with those that were superseded (behaviour 4.16.4). See `readPage` for errors. */
export async function listPaymentInstructions(
  context: Context,
  request: ReadAccountRequest,
): Promise<StoredPaymentInstruction[]> {
  const { rows } = await readPage(context, request, (database, key) =>
    database.query(READ_PAYMENT_INSTRUCTIONS, { ...key, limit: MOST_INSTRUCTIONS }),
  );
  return rows.map(({ details, ...columns }) => ({
    ...recordOf<StoredPaymentInstruction>(StoredPaymentInstruction, StoredPaymentInstruction, columns),
    details: details as Row,
  }));
}

/**
 * The active payment instruction of an account: the only one, or that of `type` (behaviour 4.16.4). Refuses also with
 * `payment_instruction_not_found`, and with `request_failed_validation` if there are several and no type was named.
 */
export async function getPaymentInstruction(
  context: Context,
  request: ReadPaymentInstructionRequest,
): Promise<StoredPaymentInstruction> {
  const { external_account_number: number, type } = request;
  const listed = await listPaymentInstructions(context, request);
  const all = listed.filter(({ superseded_at }) => superseded_at === undefined);
  const [instruction, another] = all.filter((one) => type === undefined || one.type === type);
  if (instruction === undefined) {
    const which = type === undefined ? '' : ` of the type ${type}`;
    const detail = `The account ${number} has no payment instruction${which}.`;
    throw new DomainError('payment_instruction_not_found', detail, { attr: 'external_account_number' });
  }
  if (another !== undefined) {
    const types = all.map((one) => one.type).join(', ');
    const detail = `The account ${number} has payment instructions of several types: ${types}. Say which one with ?type=.`;
    throw invalidField('type', detail, 'required');
  }
  return instruction;
}

/**
 * The stored rows of an account that the caller may see; none if it is only staged. A view by the service team is
 * recorded before. Refuses with `import_supplier_does_not_exist`, and with `account_not_found` if nothing was ever
 * staged.
 */
async function readPage(
  context: Context,
  { import_supplier_code, external_account_number }: ReadAccountRequest,
  query: (database: Queryable, key: AccountKey) => Promise<PageRow[]>,
): Promise<{ rows: Row[]; more: boolean }> {
  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');
  const key = accountKey(import_supplier_code, external_account_number);
  const [found] = await query(context.database, key);
  if (found === undefined) {
    throw accountNotStaged(external_account_number);
  }
  const isLarge = (found.records?.length ?? 0) > LARGE_CHARACTERS;
  if (isLarge) await context.countAsLarge?.();
  if (!found.is_erased && found.records !== null) {
    await recordView(context, key);
  }
  // Nothing is waited for behind it: the records are read and written in this turn.
  if (isLarge) await context.waitForTurn?.();
  const rows: Row[] = found.records === null ? [] : JSON.parse(found.records);
  return { rows: found.is_erased ? (withoutErased(rows) as Row[]) : rows, more: found.more === true };
}

function recordOf<Item>(stored: Schema, sent: Schema, row: Row): Item {
  return asStored(sent, objectOf(stored, row)) as Item;
}

function withNext<Item>(
  records: Item[],
  more: boolean,
  positionOf: (last: Item) => StoredPage<Item>['next'],
): StoredPage<Item> {
  const last = records.at(-1);
  return { records, next: more && last !== undefined ? positionOf(last) : undefined };
}
