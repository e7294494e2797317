import { setTimeout as wait } from 'node:timers/promises';
import type { BulkJob } from '@causeway/contracts';
import { type BookOptions, type SampleAccount, sampleAccounts } from '@causeway/realistic-books';
import { createProgress } from '../progress.ts';
import type { Screen } from '../screen.ts';
import { type BulkTally, bulkTallyOf } from './bulk-tally.ts';
import { type ExpectedLine, expectedLineOf } from './expected-line.ts';
import { type BulkContext, moveInBulk, type Upload } from './move-in-bulk.ts';

interface Access extends Omit<BulkContext, 'team' | 'wait'> {
  /** Accounts of the book that are left alone. */
  movedByHand: ReadonlySet<string>;
}

/** Moves the sample book by one upload and adds up what happened to it; undefined if it was stopped before. */
export async function runBulk(access: Access, options: BookOptions, screen: Screen): Promise<BulkTally | undefined> {
  const accounts = options.accounts - access.movedByHand.size;
  const progress = createProgress(screen, accounts);
  const context: BulkContext = {
    ...access,
    team: options.teamName,
    wait: (milliseconds) => wait(milliseconds),
  };
  const expected: ExpectedLine[] = [];
  let startedAt = performance.now();
  const ended = await moveInBulk(context, noting(without(access.movedByHand, sampleAccounts(options)), expected), {
    onUploaded(upload) {
      screen.write(`  ${uploadedText(upload)}, ${secondsSince(startedAt).toFixed(1)} s\n`);
      startedAt = performance.now();
    },
    onProgress: (job) => progress.show(doneOf(job), remarkOf(job)),
  });
  if (ended === undefined) return undefined;
  const seconds = secondsSince(startedAt);
  progress.end(`${seconds.toFixed(1)} s, ${Math.round(accounts / seconds)} a second`);
  return bulkTallyOf(expected, ended);
}

function* without(numbers: ReadonlySet<string>, book: Iterable<SampleAccount>): Generator<SampleAccount> {
  for (const account of book) if (!numbers.has(account.externalAccountNumber)) yield account;
}

/** The same accounts, one after the other; it notes what is expected of each. */
function* noting(book: Iterable<SampleAccount>, expected: ExpectedLine[]): Generator<SampleAccount> {
  for (const account of book) {
    expected.push(expectedLineOf(account));
    yield account;
  }
}

function secondsSince(time: number): number {
  return (performance.now() - time) / 1_000;
}

function uploadedText({ parts, lines, bytes, packedBytes }: Upload): string {
  const counted = parts === 1 ? '1 part' : `${parts} parts`;
  return `Uploaded ${lines.toLocaleString('en-GB')} lines in ${counted}: ${megabytes(bytes)}, ${megabytes(packedBytes)} packed`;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Only what is committed counts. */
function doneOf({ lines, counts }: BulkJob): number {
  return (lines ?? 0) - counts.waiting;
}

function remarkOf({ accounts_per_second, estimate }: BulkJob): string {
  const rate = accounts_per_second === null ? '' : `, ${Math.round(accounts_per_second)} a second`;
  return estimate === null ? rate : `${rate}, done at ${estimate.finishes_at.slice(11, 19)} UTC`;
}
