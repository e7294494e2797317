import { zstdCompressSync } from 'node:zlib';
import { type SampleAccount, sampleLine } from '@causeway/realistic-books';

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
    lines.push(JSON.stringify(sampleLine(account)));
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
