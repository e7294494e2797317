import { setImmediate as turn } from 'node:timers/promises';
import { zstdCompressSync } from 'node:zlib';
import { addLines, addParts, type LineClaims, totalsOf } from '@causeway/book';
import type { ManifestTotals } from '@causeway/contracts';
import { type BookOptions, sampleAccounts } from '@causeway/realistic-books';
import { expectedDifferences, lodgedClaims } from './planted.ts';

/** What is lodged of a book, and how what is stored will differ from it. */
export interface ManifestOfBook {
  totals: ManifestTotals;
  /** The lines, packed with zstd, as they are uploaded. */
  parts: Uint8Array<ArrayBuffer>[];
  /** By account number; an account that is not here does not differ. */
  expected: ReadonlyMap<string, readonly string[]>;
}

const MAX_LINES = 5_000;

/** Makes the manifest of the book, from the book alone; undefined if it was stopped before. */
export async function manifestOfBook(
  book: BookOptions,
  inBulk: boolean,
  stop: AbortSignal,
): Promise<ManifestOfBook | undefined> {
  const expected = new Map<string, readonly string[]>();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let added = addParts([]);
  for (const lines of inParts(claimsOf(book, inBulk, expected))) {
    parts.push(zstdCompressSync(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))));
    added = addParts([added, addLines(lines)]);
    // A large book takes minutes: signals are heard between two parts.
    await turn();
    if (stop.aborted) return undefined;
  }
  return { totals: totalsOf(added), parts, expected };
}

function* claimsOf(book: BookOptions, inBulk: boolean, expected: Map<string, readonly string[]>) {
  let position = 0;
  for (const account of sampleAccounts(book)) {
    const at = { position, inBulk };
    const differences = expectedDifferences(account, at);
    if (differences.length > 0) expected.set(account.externalAccountNumber, differences);
    const claims = lodgedClaims(account, at);
    if (claims !== undefined) yield claims;
    position += 1;
  }
}

function* inParts(claims: Iterable<LineClaims>): Generator<LineClaims[]> {
  let lines: LineClaims[] = [];
  for (const line of claims) {
    lines.push(line);
    if (lines.length < MAX_LINES) continue;
    yield lines;
    lines = [];
  }
  if (lines.length > 0) yield lines;
}
