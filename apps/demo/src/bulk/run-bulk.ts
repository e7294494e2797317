import { setTimeout as wait } from 'node:timers/promises';
import type { BulkJob } from '@causeway/contracts';
import { type BookOptions, sampleAccounts } from '../book/sample-book.ts';
import { createProgress } from '../progress.ts';
import type { Screen } from '../screen.ts';
import { type BulkTally, bulkTallyOf } from './bulk-tally.ts';
import { type BulkContext, moveInBulk, type Upload } from './move-in-bulk.ts';

type Access = Omit<BulkContext, 'team' | 'wait'>;

/** Moves the sample book by one upload and adds up what became of it; undefined if it was stopped before. */
export async function runBulk(access: Access, options: BookOptions, screen: Screen): Promise<BulkTally | undefined> {
  const progress = createProgress(screen, options.accounts);
  const startedAt = performance.now();
  const context: BulkContext = {
    ...access,
    team: options.teamName,
    wait: (milliseconds) => wait(milliseconds),
  };
  const ended = await moveInBulk(context, () => sampleAccounts(options), {
    onUploaded: (upload) => screen.write(`  ${uploadedText(upload)}\n`),
    onProgress: (job) => progress.show(doneOf(job), remarkOf(job)),
  });
  if (ended === undefined) return undefined;
  const seconds = (performance.now() - startedAt) / 1_000;
  progress.end(`${seconds.toFixed(1)} s with the upload, ${Math.round(options.accounts / seconds)} a second`);
  return bulkTallyOf(sampleAccounts(options), ended);
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
