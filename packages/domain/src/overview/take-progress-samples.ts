import type { Database } from '@causeway/db';
import { TAKE_PROGRESS_SAMPLES, THIN_PROGRESS_SAMPLES } from './take-progress-samples.sql.ts';

const INTERVAL_MS = 10_000;
/** After a count, for this many times as long as it took: it costs at most a twentieth of a core. */
const PAUSE = 20;
const DAY_MS = 86_400_000;

/**
 * Samples how many accounts of each import supplier are in which state (behaviour 14.9), if that is due. Any number of
 * instances may try: one of them does it.
 *
 * @returns how many import suppliers were counted
 */
export async function takeProgressSamples(database: Database, now: Date): Promise<number> {
  const taken = await database.query(TAKE_PROGRESS_SAMPLES, { now, interval_ms: INTERVAL_MS, pause: PAUSE });
  return taken.length;
}

/** Of the samples that are older than a day, leaves one in ten minutes. Safe to run concurrently. */
export async function thinProgressSamples(database: Database, now: Date): Promise<void> {
  await database.query(THIN_PROGRESS_SAMPLES, { before: new Date(now.getTime() - DAY_MS) });
}
