import { ListAccountImportsResponse } from '@causeway/contracts';
import { bodyOf } from './answers.ts';
import { type AskContext, askAgain, type HeldAccount } from './ask-again.ts';
import { inParallel } from './in-parallel.ts';
import { sumOf } from './money.ts';
import type { Outcome } from './outcome.ts';

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
  /** External account numbers of those whose balance the service does not tell any more. */
  withoutBalance: ReadonlySet<string>;
  /** Answers that should not have been given, for people. */
  problems: string[];
}

/** Asks for the list of imported accounts and, one by one, for what each of the book's has. */
export async function readHeldBook(
  context: AskContext,
  outcomes: readonly Outcome[],
  stop: AbortSignal,
): Promise<HeldBook> {
  const answer = await context.client.get(`imported-account-import-processes/${context.importSupplier}/`);
  const listed = new Set(bodyOf(answer, 200, ListAccountImportsResponse).map((one) => one.external_account_number));
  const imported = outcomes.filter(({ account }) => listed.has(account.externalAccountNumber));
  const problems: string[] = [];
  const held = await inParallel(
    imported,
    async (outcome) => {
      const number = outcome.account.externalAccountNumber;
      try {
        return { number, ...(await askAgain(context, outcome)) };
      } catch (error) {
        problems.push(`${number}, asked again: ${error instanceof Error ? error.message : error}`);
        return { number, ...NOTHING };
      }
    },
    { stop },
  );
  return { ...sumsOf(held), problems };
}

const NOTHING: HeldAccount = {
  added: { accounts: 0, notes: 0, transactions: 0, statements: 0, paymentInstruction: 0 },
  notes: 0,
  transactions: [],
  statements: [],
  paymentInstruction: 0,
};

function sumsOf(held: (HeldAccount & { number: string })[]): Omit<HeldBook, 'problems'> {
  const sum = (amountOf: (account: HeldAccount) => number) => sumOf(held.map(amountOf));
  const transactions = held.flatMap((account) => account.transactions);
  const types = [...new Set(transactions.map(({ type }) => type))];
  const penceOfType = (wanted: string) =>
    sumOf(transactions.filter(({ type }) => type === wanted).map(({ pence }) => pence));
  const statements = held.flatMap((account) => account.statements);
  return {
    accounts: {
      rows: held.length,
      added: sum(({ added }) => added.accounts),
      pence: sum(({ balance = 0 }) => balance),
    },
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
    withoutBalance: new Set(held.filter(({ balance }) => balance === undefined).map(({ number }) => number)),
  };
}
