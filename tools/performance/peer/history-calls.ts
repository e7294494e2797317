import type { FastifyInstance } from 'fastify';
import { usableSupplier } from '../shared/callers.ts';
import { type Fields, inTransaction, type Query, read } from '../shared/database.ts';
import { accountNotFound, statementDiffers } from '../shared/refusal.ts';
import { utcSeconds } from '../shared/values.ts';
import { insertInto } from './insert.ts';
import * as schemas from './schemas.ts';

interface OfAccount {
  import_supplier: string;
  external_account_number: string;
}
interface Note extends Fields {
  body?: string;
  document_paths?: { document_path: string }[];
  created_at?: string;
}
interface Transaction extends Fields {
  transaction_id: string;
  amount: number;
}
interface Statement extends Fields {
  statement_id: string;
}

async function accountIdOf(query: Query, body: OfAccount, status: number): Promise<string> {
  const [account] = await query<{ id: string }>(
    'account-id',
    'SELECT id FROM account_imports WHERE import_supplier_code = $1 AND external_account_number = $2 AND completed',
    [body.import_supplier, body.external_account_number],
  );
  if (account === undefined) throw accountNotFound(status);
  return account.id;
}

/** The rows of an account that have these values in a column, as objects without empty fields. */
async function readStored<Row>(query: Query, [table, column]: [string, string], values: unknown[]): Promise<Row[]> {
  const sql = `SELECT jsonb_strip_nulls(to_jsonb(stored) - 'account_import_id') AS shown
    FROM ${table} stored WHERE account_import_id = $1 AND ${column} = ANY ($2)`;
  return (await query<{ shown: Row }>(`stored ${table}`, sql, values)).map(({ shown }) => shown);
}

const insertNotes = insertInto(
  'notes',
  { text: 'body', jsonb: 'document_paths', timestamptz: 'created_at unpin_at', boolean: 'is_pinned' },
  'ON CONFLICT DO NOTHING RETURNING body, document_paths, created_at',
);
const keyOf = (note: Fields) => JSON.stringify([note.created_at, note.body ?? note.document_paths]);

async function addNotes(body: OfAccount & { notes: Note[] }) {
  const id = await accountIdOf(read, body, 404);
  const now = utcSeconds(new Date());
  const notes = body.notes.map(({ created_at = now, document_paths = [], is_pinned = false, ...note }) => {
    const paths = document_paths.map(({ document_path }) => document_path);
    return { ...note, created_at, is_pinned, document_paths: paths };
  });
  const rows = await insertNotes<{ created_at: Date }>(read, id, notes);
  const added = new Set(rows.map((row) => keyOf({ ...row, created_at: utcSeconds(row.created_at) })));
  return notes.map((note) => ({
    created_at: note.created_at,
    body: note.body ?? null,
    status: added.delete(keyOf(note)) ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS',
  }));
}

const insertTransactions = insertInto(
  'transactions',
  {
    text: 'transaction_id type reason display_note note reference payment_type product_code',
    ...{ date: 'transaction_date', numeric: 'amount', jsonb: 'line_items tax_items' },
  },
  'ON CONFLICT DO NOTHING RETURNING transaction_id',
);

async function addTransactions(body: OfAccount & { transactions: Transaction[] }) {
  const id = await accountIdOf(read, body, 400);
  const rows = await insertTransactions<{ transaction_id: string }>(read, id, body.transactions);
  const added = new Set(rows.map(({ transaction_id }) => transaction_id));
  const isNew = added.size === body.transactions.length;
  const values = [id, body.transactions.map(({ transaction_id }) => transaction_id)];
  const stored = isNew ? [] : await readStored<Transaction>(read, ['transactions', 'transaction_id'], values);
  const results = body.transactions.map((transaction) => {
    const { transaction_id, amount } = transaction;
    if (added.delete(transaction_id)) {
      return {
        status: 'TRANSACTION_ADDED_TO_ACCOUNT',
        transaction_data: { ...transaction, amount: amount.toFixed(2) },
      };
    }
    const before = stored.find((other) => other.transaction_id === transaction_id) ?? transaction;
    const transaction_data = { ...before, amount: before.amount.toFixed(2), status: 'TRANSACTION_IMPORT_SUCCESS' };
    return { status: 'TRANSACTION_ALREADY_EXISTS', transaction_data };
  });
  return { results };
}

const insertStatements = insertInto(
  'statements',
  {
    text: 'statement_id number statement_path',
    ...{ date: 'bill_period_from_date bill_period_to_date issued_date', numeric: 'gross_amount' },
  },
  'ON CONFLICT DO NOTHING RETURNING statement_id',
);

async function addStatements(body: OfAccount & { statements: Statement[] }) {
  const { statements } = body;
  await inTransaction(async (query) => {
    const id = await accountIdOf(query, body, 400);
    const added = await insertStatements(query, id, statements);
    if (added.length === statements.length) return;
    const values = [id, statements.map(({ statement_id }) => statement_id)];
    const stored = await readStored<Statement>(query, ['statements', 'statement_id'], values);
    const known = new Map(stored.map((statement) => [statement.statement_id, statement]));
    const isSame = (statement: Statement) =>
      Object.entries(known.get(statement.statement_id) ?? {}).every(([name, value]) => statement[name] === value);
    if (!statements.every(isSame)) throw statementDiffers();
  });
  return body;
}

/** Adds notes, transactions and statements to an account; what it has already is not added again. */
export function historyCalls(app: FastifyInstance): void {
  const add = <Body extends OfAccount>(
    name: string,
    options: ReturnType<typeof schemas.shaped>,
    run: (body: Body) => Promise<unknown>,
  ) => {
    app.post(`/v1/data-import/${name}/create`, options, async (request, reply) => {
      const body = request.body as Body;
      await usableSupplier(request, body.import_supplier);
      const answer = await run(body);
      reply.code(201);
      return answer;
    });
  };
  add('notes', schemas.shaped(schemas.Notes, schemas.NotesShown), addNotes);
  add('transactions', schemas.shaped(schemas.Transactions, schemas.TransactionsShown), addTransactions);
  add('historical-statements', schemas.shaped(schemas.Statements, schemas.Statements), addStatements);
}
