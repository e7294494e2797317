import { describe, expect, test } from 'vitest';
import { createLateness, TICK_MS } from '../../src/overload/lateness.ts';
import { SAMPLE_MS } from '../../src/overload/request-cost.ts';
import { createStanding } from '../../src/overload/standing.ts';

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

  test('17.1.6 is told at every look as long as that goes on', () => {
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
