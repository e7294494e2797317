import type { CausewayClient } from '@causeway/client';
import { type BookOptions, type SampleAccount, sampleBook } from '@causeway/realistic-books';
import type { RestClient } from '@causeway/rest-client';
import { inParallel } from './in-parallel.ts';
import { type MoveContext, moveAccount } from './move-account.ts';
import type { Outcome } from './outcome.ts';
import { createProgress } from './progress.ts';
import { readHeldBook } from './read-held-book.ts';
import type { Screen } from './screen.ts';
import { type Tally, tallyOf } from './tally.ts';

/** What the calls are made with, and what is read back. */
export interface CallAccess extends MoveContext {
  client: RestClient;
  staff: CausewayClient;
  apiKeyId: string;
  /** Accounts of the book that are left alone. */
  movedByHand: ReadonlySet<string>;
  stop: AbortSignal;
}

interface Called {
  outcomes: Outcome[];
  tally: Tally;
}

/** Moves the sample book by calls and adds up what is read back; undefined if it was stopped before. */
export async function runCalls(access: CallAccess, options: BookOptions, screen: Screen): Promise<Called | undefined> {
  const { client, staff, stop, movedByHand, importSupplier: code } = access;
  const book = sampleBook(options).filter(({ externalAccountNumber }) => !movedByHand.has(externalAccountNumber));
  const moving = stopwatch();
  const progress = createProgress(screen, book.length);
  const move = (account: SampleAccount) => moveAccount(access, account);
  const outcomes = await inParallel(book, move, { stop, onDone: (done) => progress.show(done) });
  if (stop.aborted) return undefined;
  progress.end(`${client.requestCount().toLocaleString('en-GB')} requests, ${moving()}`);

  const reading = stopwatch();
  const readTrail = (external_account_number: string) =>
    staff.audit.list.query({ subject: 'account_import', code, external_account_number });
  const held = await readHeldBook({ ...access, readTrail }, outcomes, stop);
  if (stop.aborted) return undefined;
  screen.write(`  Read back what it holds of each account, ${reading()}\n`);
  return { outcomes, tally: tallyOf(outcomes, held) };
}

/** Tells how long it has run, for people. */
function stopwatch(): () => string {
  const startedAt = performance.now();
  return () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}
