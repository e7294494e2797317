import { afterEach, expect, test, vi } from 'vitest';
import { isResting, mostFailures, nextAttempt, restAfter } from '../../src/webhooks/endpoint-health.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAYS_MS = 72 * HOUR_MS;
const SINCE = new Date('2026-04-17T09:30:00Z');
const after = (ms: number) => new Date(SINCE.getTime() + ms);
const WAITS_S = [5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600];

afterEach(() => void vi.restoreAllMocks());

/** The shortest and the longest that `wait` answers, in seconds, with the dice on their lowest and highest side. */
function rangeOf(wait: () => Date | null | undefined): (number | undefined)[] {
  return [0, 0.5, 1].map((dice) => {
    vi.spyOn(Math, 'random').mockReturnValue(dice);
    const until = wait();
    return until ? Math.round((until.getTime() - SINCE.getTime()) / SECOND_MS) : undefined;
  });
}

const aFifthMoreOrLess = (seconds: number) => [seconds * 0.8, seconds, seconds * 1.2];

test('28.4.1 a message waits longer after each attempt, a fifth more or less, and then an hour', () => {
  const waits = WAITS_S.map((_, index) => rangeOf(() => nextAttempt({ attempts: index + 1, since: SINCE }, SINCE)));
  expect(waits).toEqual(WAITS_S.map(aFifthMoreOrLess));
});

test('28.4.1 the last attempt is after three days, and then the message is given up', () => {
  const next = (ms: number) => nextAttempt({ attempts: 70, since: SINCE }, after(ms));
  expect(next(DAYS_MS - 60 * SECOND_MS)).toEqual(after(DAYS_MS));
  expect(next(DAYS_MS - 1)).toEqual(after(DAYS_MS));
  expect(next(DAYS_MS)).toBeUndefined();
});

test('28.4.2 from the tenth failure on an endpoint is left alone, after the same waits', () => {
  const rest = (failures: number) => rangeOf(() => restAfter({ failures, since: SINCE }, SINCE).notBefore);
  expect([1, 9].flatMap(rest)).toEqual(Array(6).fill(undefined));
  expect(WAITS_S.map((_, index) => rest(10 + index))).toEqual(WAITS_S.map(aFifthMoreOrLess));
  expect([9, 10].map(isResting)).toEqual([false, true]);
  // Eight that are under way together fail together: they count as one failure of an endpoint that rests.
  expect([0, 9, 10, 11].map(mostFailures)).toEqual([10, 10, 11, 12]);
});

test('28.4.3 an endpoint is disabled once it has failed for three days', () => {
  const isGivenUp = (ms: number) => restAfter({ failures: 1, since: SINCE }, after(ms)).isGivenUp;
  expect([0, 24 * HOUR_MS, DAYS_MS - 1, DAYS_MS].map(isGivenUp)).toEqual([false, false, false, true]);
});
