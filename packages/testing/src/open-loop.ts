import type { Random } from './random.ts';

/** One call of an open loop: `latencyMs` counts from when it was meant to begin, so that a stall is not hidden. */
export interface Timed<Outcome> {
  intendedMs: number;
  latencyMs: number;
  outcome: Outcome;
}

/** Arrival times in milliseconds from the start, at random (Poisson) and fixed in advance. */
export function drawArrivals(random: Random, load: { ratePerSecond: number; durationMs: number }): number[] {
  const arrivals: number[] = [];
  for (let at = 0; ; ) {
    at += (-Math.log(1 - random.next()) * 1000) / load.ratePerSecond;
    if (at >= load.durationMs) return arrivals;
    arrivals.push(at);
  }
}

/**
 * Begins each call at its arrival time, however many are still under way, and waits for all. What a call throws is
 * thrown: an error that is a result belongs into `Outcome`.
 */
export async function runOpenLoop<Outcome>(
  arrivals: readonly number[],
  perform: (index: number) => Promise<Outcome>,
): Promise<Timed<Outcome>[]> {
  const startedAt = performance.now();
  const calls: Promise<Timed<Outcome>>[] = [];
  const begin = async (index: number, intendedMs: number): Promise<Timed<Outcome>> => {
    const outcome = await perform(index);
    return { intendedMs, latencyMs: performance.now() - startedAt - intendedMs, outcome };
  };
  await new Promise<void>((resolve) => {
    const beginDue = () => {
      const now = performance.now() - startedAt;
      for (let next = arrivals[calls.length]; next !== undefined && next <= now; next = arrivals[calls.length]) {
        calls.push(begin(calls.length, next));
      }
      const next = arrivals[calls.length];
      if (next === undefined) resolve();
      else setTimeout(beginDue, Math.max(0, next - now));
    };
    beginDue();
  });
  return Promise.all(calls);
}

/** The smallest value that `share` (0 to 1) of the values do not exceed; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
