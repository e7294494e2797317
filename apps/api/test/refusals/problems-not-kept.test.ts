import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NO_TRACING } from '../../src/observability/tracing.ts';
import { repeat } from '../../src/start/background.ts';
import type { Start } from '../../src/start/start.ts';

const RUN = 5_000;
const MINUTE = 12 * RUN;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work on a database that has lost a right until it is granted again. */
function start() {
  const warned: unknown[][] = [];
  const logger = { warn: (...entry: unknown[]) => warned.push(entry), debug: () => undefined };
  const database = { isAllowed: false };
  const keep_problems = async () => {
    if (!database.isAllowed) throw new Error('permission denied for table import_problems');
  };
  const parts = { logger, clock: () => new Date(), work: { countRun: () => undefined }, tracing: NO_TRACING };
  const warning = { event: 'problems_not_kept', failures: 12 };
  const stop = repeat(parts as unknown as Start, { runs: { keep_problems }, pauseMs: RUN, warning });
  return { warned, database, stop };
}

test('4.15.13 a failure that lasts is a warning each minute, one that passes is none', async () => {
  const { warned, database, stop } = start();
  await vi.advanceTimersByTimeAsync(10 * RUN);
  database.isAllowed = true;
  await vi.advanceTimersByTimeAsync(MINUTE);
  database.isAllowed = false;
  await vi.advanceTimersByTimeAsync(11 * RUN);
  expect(warned).toEqual([]);
  await vi.advanceTimersByTimeAsync(RUN);
  const error = expect.objectContaining({ message: 'permission denied for table import_problems' });
  expect(warned).toEqual([[{ error, failures: 12 }, 'problems_not_kept']]);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(warned).toHaveLength(2);
  stop();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(warned).toHaveLength(2);
});
