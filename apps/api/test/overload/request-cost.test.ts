import { describe, expect, test } from 'vitest';
import { createRequestCost, SAMPLE_MS } from '../../src/overload/request-cost.ts';

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
