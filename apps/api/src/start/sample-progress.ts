import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@causeway/db';
import { takeProgressSamples } from '@causeway/domain';
import type { Start } from './start.ts';

/** Whether samples are due is looked at this often: they are every ten seconds. */
const LOOKED_AT_EVERY_MS = 2_500;
/** After a failure, for this many times as long as it took: it may have been a count that ran out of time. */
const PAUSE = 20;

/**
 * Samples the progress of the import suppliers, with the other instances (behaviour 14.9). Nothing waits for it: a
 * failure is counted, and it is tried again.
 */
export function sampleProgress({ clock, logger, closing, work, tracing }: Start, database: Database): void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sample = async (): Promise<number> => {
    const begunAt = performance.now();
    try {
      await tracing.run('sample_progress', () => takeProgressSamples(database, clock()));
      work.countRun('sample_progress', 'done', clock());
      return LOOKED_AT_EVERY_MS;
    } catch (error) {
      if (!signal.aborted) work.countRun('sample_progress', 'failed', clock());
      logger.debug({ error }, 'progress_not_sampled');
      return Math.max(LOOKED_AT_EVERY_MS, PAUSE * (performance.now() - begunAt));
    }
  };
  const run = async () => {
    while (!signal.aborted) {
      const pauseMs = await sample();
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  void run();
  closing.push(() => stopping.abort());
}
