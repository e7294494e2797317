import type { Queryable } from '@causeway/db';
import type { SampleAccount } from './book/sample-book.ts';
import { penceOf, sumOf } from './money.ts';
import {
  STORED_ACCOUNTS,
  STORED_NOTES,
  STORED_PAYMENT_INSTRUCTIONS,
  STORED_STATEMENTS,
  STORED_TRANSACTIONS,
} from './read-stored-book.sql.ts';

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

/** Counts and adds up in the database itself, since the public interface has no sums. */
export async function readStoredBook(
  database: Queryable,
  importSupplier: string,
  book: readonly SampleAccount[],
): Promise<StoredBook> {
  async function sums(of: typeof STORED_ACCOUNTS, keysOf: (account: SampleAccount) => readonly string[]) {
    const pairs = book.flatMap((account) => keysOf(account).map((key) => [account.externalAccountNumber, key]));
    const rows = await database.query(of, {
      import_supplier_code: importSupplier,
      external_account_numbers: pairs.map(([number]) => number),
      keys: pairs.map(([, key]) => key),
    });
    return new Map(
      rows.map(({ kind, rows: count, amount }) => [kind, { rows: Number(count), pence: penceOf(amount) }]),
    );
  }
  const transactionsByType = await sums(STORED_TRANSACTIONS, ({ transactions }) =>
    transactions.map((one) => one.transaction_id),
  );
  return {
    accounts: total(await sums(STORED_ACCOUNTS, ({ externalAccountNumber }) => [externalAccountNumber])),
    notes: total(await sums(STORED_NOTES, ({ notes }) => notes.map(noteKey))),
    transactions: total(transactionsByType),
    transactionsByType,
    statements: total(await sums(STORED_STATEMENTS, ({ statements }) => statements.map((one) => one.statement_id))),
    paymentInstructions: total(
      await sums(STORED_PAYMENT_INSTRUCTIONS, ({ paymentInstruction: one }) => (one ? [one.reference] : [])),
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
