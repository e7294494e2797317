import type { Database } from '@causeway/db';
import { keepProblems as keepProblemsOnce } from '@causeway/domain';
import type { Start } from './start.ts';

const KEPT_EVERY_MS = 5_000;

/** A minute of them: a connection that broke, or a database that restarts, has no effect that lasts. */
const FAILURES_TO_WARN = 12;

/**
 * A failed run is repeated in a few seconds. The problems stay right meanwhile, but whoever reads them adds up more and
 * more; and what was refused while its account was being created, skipped or erased stays open, so that an account may
 * not be complete. So failures in a row are a warning.
 */
export function keepProblems({ clock, logger, closing, work, tracing }: Start, database: Database): void {
  let isRunning = false;
  let isStopping = false;
  let failures = 0;
  const tell = (error: unknown) => {
    if (isStopping) return;
    failures += 1;
    work.countRun('keep_problems', 'failed', clock());
    if (failures % FAILURES_TO_WARN === 0) logger.warn({ error, failures }, 'problems_not_kept');
    else logger.debug({ error, failures }, 'problems_not_kept');
  };
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await tracing.run('keep_problems', () => keepProblemsOnce(database, clock()));
      failures = 0;
      work.countRun('keep_problems', 'done', clock());
    } catch (error) {
      tell(error);
    }
    isRunning = false;
  };
  const timer = setInterval(run, KEPT_EVERY_MS);
  closing.push(() => {
    isStopping = true;
    clearInterval(timer);
  });
}
