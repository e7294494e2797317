import { zstdCompressSync } from 'node:zlib';
import type { SampleAccount } from '../book/sample-book.ts';

/** Some lines of the book, as they are uploaded together. */
export interface BookPart {
  /** From 1. */
  number: number;
  lines: number;
  /** Before it was packed. */
  bytes: number;
  packed: Uint8Array<ArrayBuffer>;
}

const MAX_LINES = 5_000;

/** The book as the parts of an upload, packed with zstd; only one of them is in memory at a time. */
export function* bookParts(book: Iterable<SampleAccount>): Generator<BookPart> {
  let number = 1;
  let lines: string[] = [];
  for (const account of book) {
    lines.push(JSON.stringify(lineOf(account)));
    if (lines.length === MAX_LINES) {
      yield partOf(number, lines);
      number += 1;
      lines = [];
    }
  }
  if (lines.length > 0) yield partOf(number, lines);
}

function partOf(number: number, lines: string[]): BookPart {
  const text = Buffer.from(`${lines.join('\n')}\n`);
  return { number, lines: lines.length, bytes: text.length, packed: zstdCompressSync(text) };
}

/**
 * The account as a line of a book (behaviour 21.1), with its history beside it unless the payload carries it. What the
 * vendor cannot be reached about would be tried again and again: that one is left out.
 */
export function lineOf(account: SampleAccount): object {
  const { payload, notes, transactions, statements, expected } = account;
  if (expected) return { account: payload };
  const instruction = isReachable(account) ? account.paymentInstruction : undefined;
  return {
    account: payload,
    notes,
    transactions,
    statements,
    ...(instruction && { payment_instruction: instruction }),
    control: { transactions: transactions.length, statements: statements.length },
  };
}

function isReachable({ expectedInstructionRefusal }: SampleAccount): boolean {
  return expectedInstructionRefusal !== 'payment_vendor_unavailable';
}
