import { type Queryable, statement } from '@causeway/db';
import type { SampleAccount } from './book/sample-book.ts';
import { penceOf, sumOf } from './money.ts';

/** How many rows there are, and the money in them, in pence. */
export interface Stored {
  rows: number;
  pence: number;
}

/** What the database holds of the book. Rows of others, and those that somebody adds by hand, are not counted. */
export interface StoredBook {
  accounts: Stored;
  notes: Stored;
  transactions: Stored;
  /** The same transactions by type. */
  transactionsByType: ReadonlyMap<string, Stored>;
  statements: Stored;
  paymentInstructions: Stored;
}

interface SumRow {
  kind: string;
  rows: string;
  amount: string;
}

// Every row is found by what the book calls it: one that was stored twice is counted twice.
const read = (table: string, key: string, { kind = `''`, amount = '0' }: { kind?: string; amount?: string } = {}) =>
  statement(
    `demo-stored-${table}`,
    `SELECT ${kind} AS kind, count(*) AS rows, coalesce(sum(${amount}), 0)::numeric(15, 2)::text AS amount
    FROM unnest($2::text[], $3::text[]) AS sent (external_account_number, key)
    JOIN account_imports USING (external_account_number)
    JOIN ${table} AS stored ON stored.account_import_id = account_imports.id AND ${key} = sent.key
    WHERE import_supplier_code = $1
    GROUP BY 1`,
  );

const ACCOUNTS = read('accounts', 'external_account_number', { amount: 'stored.transfer_balance' });
const NOTES = read('notes', 'coalesce(stored.body, stored.document_paths[1])');
const TRANSACTIONS = read('transactions', 'stored.transaction_id', { kind: 'stored.type', amount: 'stored.amount' });
const STATEMENTS = read('statements', 'stored.statement_id', { amount: 'stored.gross_amount' });
const PAYMENT_INSTRUCTIONS = read('payment_instructions', 'stored.reference');

/** Counts and adds up in the database itself, since the public interface has no sums. */
export async function readStoredBook(
  database: Queryable,
  importSupplier: string,
  book: readonly SampleAccount[],
): Promise<StoredBook> {
  async function sums(of: typeof ACCOUNTS, keysOf: (account: SampleAccount) => readonly string[]) {
    const pairs = book.flatMap((account) => keysOf(account).map((key) => [account.externalAccountNumber, key]));
    const values = [importSupplier, pairs.map(([number]) => number), pairs.map(([, key]) => key)];
    const rows = await database.query<SumRow>(of, values);
    return new Map(
      rows.map(({ kind, rows: count, amount }) => [kind, { rows: Number(count), pence: penceOf(amount) }]),
    );
  }
  const transactionsByType = await sums(TRANSACTIONS, ({ transactions }) =>
    transactions.map((one) => one.transaction_id),
  );
  return {
    accounts: total(await sums(ACCOUNTS, ({ externalAccountNumber }) => [externalAccountNumber])),
    notes: total(await sums(NOTES, ({ notes }) => notes.map(noteKey))),
    transactions: total(transactionsByType),
    transactionsByType,
    statements: total(await sums(STATEMENTS, ({ statements }) => statements.map((one) => one.statement_id))),
    paymentInstructions: total(
      await sums(PAYMENT_INSTRUCTIONS, ({ paymentInstruction: one }) => (one ? [one.reference] : [])),
    ),
  };
}

function noteKey({ body, document_paths }: SampleAccount['notes'][number]): string {
  return body ?? document_paths?.[0]?.document_path ?? '';
}

function total(sums: ReadonlyMap<string, Stored>): Stored {
  const all = [...sums.values()];
  return { rows: sumOf(all.map(({ rows }) => rows)), pence: sumOf(all.map(({ pence }) => pence)) };
}
