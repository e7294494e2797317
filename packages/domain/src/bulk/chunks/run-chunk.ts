import { LIMITS } from '@causeway/contracts';
import { databaseWithin, isConnectionFailure, isServerUnable, type Queryable } from '@causeway/db';
import { findImportSupplier } from '../../shared/find-import-supplier.ts';
import { laneKey, processSlotKey } from '../../shared/process-locks.ts';
import { pauseRun } from '../jobs/settle-run.ts';
import {
  type BulkDependencies,
  type BulkWork,
  type PauseReason,
  PausesJob,
  runContext,
  TriesLater,
  type Writing,
} from './bulk-work.ts';
import type { ChunkLine } from './chunk-line.ts';
import { CLAIM_CHUNK, PUT_CHUNK_OFF, TAKE_SLOTS } from './claim-chunk.sql.ts';
import { type CountsJson, count } from './line-outcome.ts';
import { readBody } from './read-body.ts';
import { readCohort } from './read-cohort.ts';
import { type ClaimedChunk, saveChunk, triesAfter } from './save-chunk.ts';
import { readCreated } from './undo-lines.ts';
import { AsksVendors, storedInstructions, unasked, VendorAnswers } from './vendor-answers.ts';
import { writePart } from './write-part.ts';

/**
 * Does the next chunk of a job (behaviour 21.8). Its transaction is its lease: account changes, line results and progress
 * commit together or not at all. Payment vendors are asked while none is
 * open. A rehearsal rolls the effect back and commits the rest. Throws if the database is at fault.
 */
export async function runChunk(dependencies: BulkDependencies, work: BulkWork): Promise<ChunkResult> {
  const answers = new VendorAnswers();
  const attempt: Attempt = { dependencies, work, wanted: null };
  for (;;) {
    try {
      return await dependencies.database.transaction((transaction) => runWithin(attempt, answers, transaction));
    } catch (error) {
      if (!(error instanceof AsksVendors) || attempt.claimed === undefined) {
        return afterFailure(attempt, error);
      }
      attempt.wanted = attempt.claimed.number;
      const asked = error;
      await whilePutOff(attempt, () => answers.ask(runContext(dependencies, work), asked));
    }
  }
}

const PUT_OFF_SECONDS = 1;

/**
 * No other lane takes the chunk meanwhile, and asks its vendors too. If this instance ends, or loses the database, one
 * does so a second later: an answer changes nothing.
 */
async function whilePutOff(attempt: Attempt, work: () => Promise<void>): Promise<void> {
  const putOffAgain = () => putOff(attempt, { attempts: 0, seconds: PUT_OFF_SECONDS });
  await putOffAgain();
  const timer = setInterval(() => void putOffAgain().catch(() => undefined), (PUT_OFF_SECONDS * 1_000) / 2);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

async function runWithin(attempt: Attempt, answers: VendorAnswers, transaction: Queryable): Promise<ChunkResult> {
  const { dependencies, work } = attempt;
  const started_at = dependencies.clock();
  const chunk = await claimChunk(attempt, transaction);
  if (chunk === undefined) return { result: 'nothing' };
  const database = databaseWithin(dependencies.database, transaction);
  const isRehearsal = work.run_mode === 'REHEARSAL';
  const paymentVendors = isRehearsal
    ? unasked(dependencies.paymentVendors)
    : answers.within(dependencies.paymentVendors);
  const context = { ...runContext(dependencies, work), database, paymentVendors, ifUndone: () => undefined };
  const supplier = await findImportSupplier(context, work.import_supplier_code, 'import_supplier');
  const operationsTeamName = work.options.operations_team_name ?? '';
  const writing: Writing = { context, work, supplier, dependencies, operationsTeamName };
  const rest = chunk.lines - chunk.cursor;
  const take = await takeSlots(writing, Math.ceil(rest / 2 ** chunk.attempts));
  const lines = await readChunk(writing, chunk, take);
  const ready = isRehearsal ? lines : answers.confirmed(lines, await storedInstructions(database, lines));
  const part = await writePart(writing, ready, chunk.attempts + 1);
  const now = dependencies.clock();
  const hasToWait = part.failure !== undefined || ready.length < lines.length;
  const not_before = hasToWait ? laterBy(now, 2 ** Math.max(triesAfter(part, chunk) - 1, 0)) : null;
  await saveChunk(transaction, { work, chunk, part }, { started_at, now, not_before });
  const counts = count(
    {},
    part.done.map(({ outcome }) => outcome),
  );
  return { result: 'written', counts, ...(part.failure !== undefined && { failure: part.failure }) };
}

interface Claim extends ClaimedChunk {
  account_import_ids: string[];
  revisions: number[] | null;
  duplicates: number[];
  body: Buffer | null;
}

async function claimChunk(attempt: Attempt, transaction: Queryable): Promise<Claim | undefined> {
  const { dependencies, work } = attempt;
  const [claim] = await transaction.query(CLAIM_CHUNK, {
    id: work.id,
    run: work.run,
    parallelism: work.options.parallelism,
    first_lane: laneKey(work.id),
    wanted: attempt.wanted,
    api_key_id: work.actor.apiKeyId,
    now: dependencies.clock(),
  });
  if (claim === undefined || claim.number === null) return undefined;
  attempt.claimed = claim as Claim;
  return claim as Claim;
}

async function readChunk(writing: Writing, chunk: Claim, take: number): Promise<ChunkLine[]> {
  const { cursor: skip, first_line, duplicates, body, account_import_ids, revisions } = chunk;
  if (writing.work.kind === 'UNDO') {
    const ids = account_import_ids.slice(skip, skip + take);
    return readCreated(writing, {
      ids,
      revisions: (revisions ?? []).slice(skip, skip + take),
      number: first_line + skip,
    });
  }
  if (writing.work.kind === 'PROCESS') {
    return readCohort(writing, { ids: account_import_ids.slice(skip, skip + take), number: first_line + skip });
  }
  if (body === null) throw new Error(`The body ${chunk.number} of the job ${writing.work.id} is gone`);
  return readBody(writing, { body, first_line, duplicates, skip, take });
}

/** What a lane has done for a job. */
export type ChunkResult =
  /** Lines were done, and are committed. */
  | { result: 'written'; counts: CountsJson; failure?: unknown }
  /** All its chunks are done, taken, or not to be tried yet; or as many lanes work on it as may. */
  | { result: 'nothing' }
  | { result: 'no_slots' }
  /** Nothing was done, and it is tried again later. */
  | { result: 'put_off'; cause: unknown }
  | { result: 'paused'; reason: PauseReason; cause: unknown };

/** A lane at a chunk of a job. */
export interface Attempt {
  dependencies: BulkDependencies;
  work: BulkWork;
  /** The chunk to take; null: the next one. */
  wanted: number | null;
  /** What was taken: known even if the attempt fails. */
  claimed?: Pick<ClaimedChunk, 'number' | 'attempts'>;
}

const TRIED_LATER_SECONDS = 1;

/** What follows from the error that has rolled a chunk's transaction back; throws it if the database is at fault. */
export async function afterFailure(attempt: Attempt, error: unknown): Promise<ChunkResult> {
  const { dependencies, work } = attempt;
  if (error instanceof NoSlots) return { result: 'no_slots' };
  if (error instanceof PausesJob) {
    await pauseRun(dependencies, work, error.reason);
    return { result: 'paused', reason: error.reason, cause: error.cause };
  }
  if (attempt.claimed === undefined || isConnectionFailure(error) || isServerUnable(error)) throw error;
  if (error instanceof TriesLater) {
    await putOff(attempt, { attempts: 0, seconds: TRIED_LATER_SECONDS });
    return { result: 'put_off', cause: error };
  }
  const { attempts } = attempt.claimed;
  await putOff(attempt, { attempts: 1, seconds: 2 ** attempts });
  if (attempts + 1 < LIMITS.bulk_attempts) return { result: 'put_off', cause: error };
  await pauseRun(dependencies, work, 'chunk_keeps_failing');
  return { result: 'paused', reason: 'chunk_keeps_failing', cause: error };
}

/** Lets other chunks go first. */
export async function putOff(
  attempt: Attempt,
  { attempts, seconds }: { attempts: number; seconds: number },
): Promise<void> {
  if (attempt.claimed === undefined) return;
  const { dependencies, work } = attempt;
  const { number } = attempt.claimed;
  const not_before = laterBy(dependencies.clock(), seconds);
  await dependencies.database.query(PUT_CHUNK_OFF, { id: work.id, run: work.run, number, attempts, not_before });
}

export const laterBy = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1_000);

/** Thrown within a chunk's transaction: all slots of the import supplier that bulk may use are taken. */
export class NoSlots extends Error {
  override readonly name = 'NoSlots';
}

/**
 * How many lines may be done now, at most `wanted`. Where the import supplier limits how many accounts are created at
 * the same time, each line holds one of its slots until the transaction ends; a quarter of them, and at least one if
 * there are several, is left to callers who wait for an answer.
 */
export async function takeSlots({ context, supplier, work }: Writing, wanted: number): Promise<number> {
  const { process_concurrency_limit: limit, code } = supplier;
  if (limit === null || work.kind === 'STAGE' || work.kind === 'UNDO') return wanted;
  const kept = Math.min(limit - 1, Math.max(1, Math.floor(limit / 4)));
  const range = { first: kept + 1, last: limit, first_slot: processSlotKey(code) };
  const [row] = await context.database.query(TAKE_SLOTS, { ...range, wanted });
  if (row === undefined || row.slots === 0) throw new NoSlots();
  return row.slots;
}
