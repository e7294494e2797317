import { describe, expect, test } from 'vitest';
import { createLateness, createRequestCost, createStanding, SAMPLE_MS, TICK_MS } from '../../src/overload/load.ts';

const LIMIT_MS = 300;

/** The times at which the event loop's delay is too high, when the loop is kept and free in turn. */
function toldLate(...phases: [keptMs: number, freeMs: number][]): number[] {
  const lateness = createLateness(0);
  const stands = createStanding();
  const told: number[] = [];
  let now = 0;
  const look = () => {
    if (stands(lateness.milliseconds(now) >= LIMIT_MS, now)) told.push(now);
  };
  for (const [keptMs, freeMs] of phases) {
    now += keptMs;
    // The sample comes before the tick that was due: the worse order.
    look();
    for (const end = now + freeMs; now < end; now += TICK_MS) {
      lateness.tick(now);
      if (now % SAMPLE_MS === 0) look();
    }
  }
  return told;
}

const times = <T>(count: number, phase: T) => Array.from({ length: count }, () => phase);

describe('how late the event loop is', () => {
  test.each([
    [350, 10],
    [700, 100],
    [2_000, 150],
    [2_000, 400],
    [5_000, 400],
  ])('17.1.6 is told when it is kept for %i ms again and again, and free for %i ms between', (keptMs, freeMs) => {
    const first = toldLate(...times(10, [keptMs, freeMs] as [number, number]))[0];
    expect(first).toBeLessThanOrEqual(Math.max(keptMs, 1_000) + 2 * keptMs + freeMs);
  });

  test('17.1.6 is told at every look as long as that continues', () => {
    const looks = toldLate(...times(20, [2_000, 400] as [number, number]));
    // Of the twenty breaks all but the first, five looks in each.
    expect(looks).toHaveLength(19 * 5);
  });

  test.each([200, 900, 5_000])('17.1.2 is not told for one pause of %i ms', (pauseMs) => {
    expect(toldLate([0, 1_000], [pauseMs, 5_000])).toEqual([]);
  });

  test.each([500, 700, 2_000])('17.1.2 is not told for turns of %i ms that leave others as long', (turnMs) => {
    expect(toldLate(...times(20, [turnMs, turnMs] as [number, number]))).toEqual([]);
  });

  test('17.1.3 is over half a second after the last long turn', () => {
    const last = toldLate(...times(10, [700, 100] as [number, number]), [0, 5_000]).at(-1);
    expect(last).toBeLessThanOrEqual(10 * 800 - 100 + 500);
  });
});

/** What a request costs after so many samples, each like this one. */
function after(...phases: [samples: number, sample: { spentMs: number; finished: number; elapsedMs?: number }][]) {
  const cost = createRequestCost();
  for (const [samples, sample] of phases) {
    for (let count = 0; count < samples; count += 1) cost.add({ elapsedMs: SAMPLE_MS, ...sample });
  }
  return cost.millisecondsEach;
}

const HEAVY = { spentMs: 100, finished: 14 };
const LIGHT = { spentMs: 100, finished: 500 };
const IDLE = { spentMs: 0.2, finished: 0 };

describe('what a request costs', () => {
  test('17.1 is what busy samples spent on those that they finished', () => {
    expect(after([1, HEAVY])).toBeCloseTo(100 / 14);
    expect(after([50, HEAVY])).toBeCloseTo(100 / 14);
    expect(after([50, LIGHT])).toBeCloseTo(0.2);
  });

  test('17.1 is forgotten a few seconds after the work has changed', () => {
    expect(after([50, HEAVY], [30, LIGHT])).toBeLessThan(0.25);
    expect(after([50, LIGHT], [30, HEAVY])).toBeGreaterThan(5);
  });

  test('17.1 is nothing when the service has rested', () => {
    expect(after([50, HEAVY], [600, IDLE])).toBeLessThan(0.001);
  });

  test('17.1 is next to nothing where the service is half idle: what is at work waits for somebody else', () => {
    expect(after([50, HEAVY], [100, { spentMs: 30, finished: 4 }])).toBeLessThan(0.01);
  });

  test('17.1 is not told by samples in which nothing was finished: a start, a pause, locks that nobody gets', () => {
    expect(after([50, { spentMs: 100, finished: 0 }])).toBe(0);
    expect(after([50, LIGHT], [3, { spentMs: 100, finished: 0 }])).toBeCloseTo(0.2);
  });

  test('17.1 is told with caution by a few requests after a cold start', () => {
    expect(after([1, { spentMs: 100, finished: 2 }])).toBe(10);
  });

  test('17.1 weighs a sample that comes late as the ones it stands for', () => {
    const late = { elapsedMs: 3 * SAMPLE_MS, spentMs: 300, finished: 1_500 };
    expect(after([50, HEAVY], [10, late])).toBeCloseTo(after([50, HEAVY], [30, LIGHT]), 1);
  });
});
