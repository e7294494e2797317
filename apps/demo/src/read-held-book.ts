import {
  ListAccountImportsResponse,
  ListProblemsResponse,
  type Problem,
  type StoredAccount,
} from '@causeway/contracts';
import { sumOf } from '@causeway/realistic-books';
import { bodyOf } from './answers.ts';
import { inParallel } from './in-parallel.ts';
import type { Outcome } from './outcome.ts';
import { type HeldAccount, type ReadContext, readAccount } from './read-account.ts';

/** How many of one kind there are, how many of them this run added, and the money in them, in pence. */
export interface Held {
  rows: number;
  added: number;
  pence: number;
}

/** What the service says it holds of the book. What is others', and what somebody adds by hand, is not counted. */
export interface HeldBook {
  /** Their money is the balances that were carried over. */
  accounts: Held;
  notes: Held;
  transactions: Held;
  /** The money in the same transactions by type, in pence. */
  penceByType: ReadonlyMap<string, number>;
  statements: Held;
  paymentInstructions: Held;
  /** How many of the accounts came with their history, in one call each. */
  carried: number;
  /** One of the accounts, as it is stored: one with its history if there is one. */
  example: StoredAccount | undefined;
  /** What the service remembers as refused, by kind of problem. */
  openProblems: readonly Problem[];
  /** Answers that should not have been given, for people. */
  problems: string[];
}

/** Reads the list of imported accounts, what each of the book's has, and what was refused. */
export async function readHeldBook(
  context: ReadContext,
  outcomes: readonly Outcome[],
  stop: AbortSignal,
): Promise<HeldBook> {
  const { client, importSupplier } = context;
  const list = await client.get(`imported-account-import-processes/${importSupplier}/`);
  const listed = new Set(bodyOf(list, 200, ListAccountImportsResponse).map((one) => one.external_account_number));
  const imported = outcomes.filter(({ account }) => listed.has(account.externalAccountNumber));
  const problems: string[] = [];
  const held = await inParallel(
    imported,
    async ({ account }) => {
      try {
        return [await readAccount(context, account)];
      } catch (error) {
        const why = error instanceof Error ? error.message : error;
        problems.push(`${account.externalAccountNumber}, read back: ${why}`);
        return [];
      }
    },
    { stop },
  );
  const openProblems = bodyOf(await client.get(`problems/${importSupplier}/`), 200, ListProblemsResponse);
  return { ...sumsOf(held.flat()), openProblems, problems };
}

function sumsOf(held: HeldAccount[]): Omit<HeldBook, 'openProblems' | 'problems'> {
  const sum = (amountOf: (account: HeldAccount) => number) => sumOf(held.map(amountOf));
  const transactions = held.flatMap((account) => account.transactions);
  const types = [...new Set(transactions.map(({ type }) => type))];
  const penceOfType = (wanted: string) =>
    sumOf(transactions.filter(({ type }) => type === wanted).map(({ pence }) => pence));
  const statements = held.flatMap((account) => account.statements);
  return {
    accounts: { rows: held.length, added: sum(({ added }) => added.accounts), pence: sum(({ balance }) => balance) },
    notes: { rows: sum(({ notes }) => notes), added: sum(({ added }) => added.notes), pence: 0 },
    transactions: {
      rows: transactions.length,
      added: sum(({ added }) => added.transactions),
      pence: sumOf(transactions.map(({ pence }) => pence)),
    },
    penceByType: new Map(types.map((type) => [type, penceOfType(type)])),
    statements: { rows: statements.length, added: sum(({ added }) => added.statements), pence: sumOf(statements) },
    paymentInstructions: {
      rows: sum(({ paymentInstruction }) => paymentInstruction),
      added: sum(({ added }) => added.paymentInstruction),
      pence: 0,
    },
    carried: held.filter(({ isCarried }) => isCarried).length,
    example: (held.find(({ isCarried }) => isCarried) ?? held.find(({ statements: has }) => has.length > 0))?.stored,
  };
}
