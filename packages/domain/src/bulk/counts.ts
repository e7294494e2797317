import type { LineOutcome } from './line-outcome.ts';

/** How many lines of a chunk have which outcome; none may be absent. They add up to its `cursor`. */
export type CountsJson = Partial<Record<LineOutcome['outcome'], number>>;

export function count(before: CountsJson, outcomes: readonly LineOutcome[]): CountsJson {
  const counts = { ...before };
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
