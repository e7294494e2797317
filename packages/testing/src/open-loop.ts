import type { Random } from './random.ts';

/** Arrival times in milliseconds from the start: random (Poisson), drawn in advance. */
export function drawArrivals(random: Random, load: { ratePerSecond: number; durationMs: number }): number[] {
  const arrivals: number[] = [];
  for (let at = 0; ; ) {
    at += (-Math.log(1 - random.next()) * 1000) / load.ratePerSecond;
    if (at >= load.durationMs) return arrivals;
    arrivals.push(at);
  }
}

/** The smallest value that `share` (0 to 1) of the values do not exceed; 0 for no values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
