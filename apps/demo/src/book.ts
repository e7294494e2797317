import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { LineClaims } from '@causeway/book';
import type { ReconciliationDifference } from '@causeway/contracts';
import {
  type BookOptions,
  decimalOf,
  penceOf,
  type SampleAccount,
  sampleAccounts,
  sumOf,
} from '@causeway/realistic-books';

/** What the source of a book says that it holds, with what is wrong in it. */
export interface Source {
  /** The differences that the comparison with what is stored is to find, one a line. */
  expected: ReadonlySet<string>;
  /** The accounts that the service team leaves out. */
  skipped: readonly SampleAccount[];
  /** The numbers of the first account, and of the one with most to see. */
  examples: readonly [string, string];
}

/** Of the account at this position the manifest claims one penny more than the book has. */
const PENNY = 1;
/** The account at this position is forgotten in the manifest. */
const FORGOTTEN = 2;

/**
 * Writes the manifest of a book (behaviour 22), from the book alone: what is stored plays no part in it. It has two
 * faults, which the comparison is to find.
 */
export async function writeManifest(
  file: string,
  { book, inBulk, stop }: { book: BookOptions; inBulk: boolean; stop: AbortSignal },
): Promise<Source> {
  const expected = new Set<string>();
  const skipped: SampleAccount[] = [];
  const examples: string[] = [];
  function* lines(): Generator<string> {
    let position = 0;
    for (const account of sampleAccounts(book)) {
      for (const difference of differencesOf(account, { position, inBulk })) expected.add(difference);
      if (position <= PENNY) examples.push(account.externalAccountNumber);
      if (account.skipReason !== undefined) skipped.push(account);
      if (position !== FORGOTTEN) yield `${JSON.stringify(claimsOf(account, position))}\n`;
      position += 1;
    }
  }
  await pipeline(lines, createWriteStream(file), { signal: stop });
  const [first = '', whole = first] = examples;
  return { expected, skipped, examples: [first, whole] };
}

function claimsOf(account: SampleAccount, position: number): LineClaims {
  const { externalAccountNumber, transferBalance, notes, transactions, statements, paymentInstruction } = account;
  const byType = Object.entries(Object.groupBy(transactions, ({ type }) => type));
  return {
    external_account_number: externalAccountNumber,
    transfer_balance: position === PENNY ? onePennyMore(transferBalance) : transferBalance,
    notes: notes.length,
    transactions: transactions.length,
    transactions_sum: sumText(transactions.map(({ amount }) => amount)),
    by_type: Object.fromEntries(
      byType.map(([type, some]) => [type, { count: some.length, amount: sumText(some.map(({ amount }) => amount)) }]),
    ),
    statements: statements.length,
    statements_gross: sumText(statements.flatMap(({ gross_amount }) => gross_amount ?? [])),
    payment_instruction: paymentInstruction !== undefined,
  };
}

const onePennyMore = (amount: string) => decimalOf(penceOf(amount) + 1);
const sumText = (amounts: readonly (number | string)[]) =>
  decimalOf(sumOf(amounts.map((amount) => penceOf(String(amount)))));

/** How an account will differ from its claims. */
function differencesOf(account: SampleAccount, { position, inBulk }: { position: number; inBulk: boolean }): string[] {
  const { externalAccountNumber: number, skipReason, expectedRefusal, expectedInstructionRefusal } = account;
  if (skipReason !== undefined) return [`${number} SKIPPED account`];
  // An upload refuses the whole line for its instruction; the one that the vendor cannot be asked about is in no line.
  const isLost = inBulk && expectedInstructionRefusal === 'payment_vendor_rejected';
  if (expectedRefusal !== undefined || isLost) return [`${number} MISSING account`];
  if (position === FORGOTTEN) return [`${number} EXTRA account`];
  const penny = `${number} DIFFERENT transfer_balance: ${onePennyMore(account.transferBalance)} -> ${account.transferBalance}`;
  const instruction = `${number} DIFFERENT payment_instruction: true -> false`;
  return [...(position === PENNY ? [penny] : []), ...(expectedInstructionRefusal === undefined ? [] : [instruction])];
}

/** What a comparison has found that was not expected, and what was expected and is not there. */
export interface Judgement {
  unexpected: readonly string[];
  /** Somebody may have corrected or added these since an earlier run. */
  changed: readonly string[];
}

/** Compares the differences that a reconciliation has written with the expected ones. */
export async function judge(differencesFile: string, { expected }: Source): Promise<Judgement> {
  const lines = (await readFile(differencesFile, 'utf8')).split('\n').filter((line) => line !== '');
  const found = new Set(lines.map((line) => textOf(JSON.parse(line))));
  const gone = [...expected.difference(found)].map((one) => `${one}, which was expected, is not there`);
  const added = [...found.difference(expected)];
  const isLost = (one: string) => / (?:MISSING|NOT_CREATED|SKIPPED) /.test(one);
  return { unexpected: added.filter(isLost), changed: [...added.filter((one) => !isLost(one)), ...gone] };
}

function textOf({ external_account_number, kind, field, expected, actual }: ReconciliationDifference): string {
  const values = kind === 'DIFFERENT' ? `: ${expected} -> ${actual}` : '';
  return `${external_account_number} ${kind} ${field}${values}`;
}
