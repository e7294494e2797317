import { LIMITS } from '@causeway/contracts';
import { isConnectionFailure, isServerUnable } from '@causeway/db';
import { type BulkDependencies, type BulkWork, type PauseReason, PausesJob, TriesLater } from './bulk-work.ts';
import { PUT_CHUNK_OFF } from './claim-chunk.sql.ts';
import type { CountsJson } from './counts.ts';
import { pauseRun } from './pause-run.ts';
import type { ClaimedChunk } from './save-chunk.ts';
import { NoSlots } from './take-slots.ts';

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
