import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepProblems } from '../../src/start/keep-problems.ts';
import type { Start } from '../../src/start/start.ts';

const RUN = 5_000;
const MINUTE = 12 * RUN;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Keeps the problems in a database that has lost a right until it is granted again. */
function start() {
  const warned: unknown[][] = [];
  const logger = { warn: (...entry: unknown[]) => warned.push(entry), debug: () => undefined };
  const closing: (() => unknown)[] = [];
  const database = { isAllowed: false, query: async () => [] as unknown[] };
  database.query = async () => {
    if (!database.isAllowed) throw new Error('permission denied for table import_problems');
    return [];
  };
  const work = { countRun: () => undefined };
  const tracing = { run: (_name: string, each: () => Promise<void>) => each() };
  const part = { logger, clock: () => new Date(), closing, work, tracing } as unknown as Start;
  keepProblems(part, database as never);
  return { warned, database, stop: () => closing.map((close) => close()) };
}

test('4.15.13 a failure that lasts is a warning each minute, one that passes is none', async () => {
  const { warned, database, stop } = start();
  await vi.advanceTimersByTimeAsync(11 * RUN);
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
