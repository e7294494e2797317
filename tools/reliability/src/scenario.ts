import { createRandom, type Random } from '@causeway/testing';

/** One claim, and the finding. */
export interface Claim {
  what: string;
  holds: boolean;
  /** The figure, in words for the report. */
  found: string;
  /** Depends on the machine's speed: it is reported, and breaks no promise. */
  dependsOnSpeed?: boolean;
}

export interface Outcome {
  /** One line. */
  figures: string;
  claims: Claim[];
  /** Further figures, too many for the line. */
  table?: Table;
}

export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** One proof of the table in docs/figures/reliability.md. */
export interface Scenario {
  /** Of the table; a row may have several scenarios. */
  row: number;
  title: string;
  /** It measures the service's speed: nothing else may run meanwhile. */
  alone?: true;
  /** How much of it: rounds, sequences, kills, requests, as `unit` says. */
  unit: string;
  full: number;
  /** How much of it in `torture --short`. */
  short: number;
  run(size: number, random: Random): Promise<Outcome>;
}

/** Claims that something never happened, by what it is: `found` shows the first three occurrences. */
export function none(violations: Readonly<Record<string, readonly unknown[]>>): Claim[] {
  return Object.entries(violations).map(([what, all]) => {
    const shown = all.slice(0, 3).map((violation) => JSON.stringify(violation));
    return { what, holds: all.length === 0, found: all.length === 0 ? 'none' : `${all.length}: ${shown.join('; ')}` };
  });
}

/** A claim that a number has the expected value. */
export function exactly(what: string, found: number | string, expected: number | string): Claim {
  return { what, holds: found === expected, found: found === expected ? `${found}` : `${found}, not ${expected}` };
}

/** A claim that is so, or is not. */
export const isSo = (what: string, found: boolean): Claim => exactly(what, String(found), 'true');

/** A claim about time, in milliseconds: it is reported, and breaks no promise. */
export function within(what: string, foundMs: number, limitMs: number): Claim {
  const over = foundMs > limitMs ? ` (${Math.ceil(foundMs - limitMs)} ms too long)` : '';
  return { what, holds: foundMs <= limitMs, found: `${Math.round(foundMs)} ms${over}`, dependsOnSpeed: true };
}

/** Claims that a busy machine may break: they are reported, and break no promise. */
export const dependingOnSpeed = (claims: readonly Claim[], dependsOnSpeed = true): Claim[] =>
  claims.map((claim) => ({ ...claim, dependsOnSpeed }));

/** How often each of these names comes. */
export function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** `1108 x 503 service_unavailable, 2 x no answer`: for a figure. */
export const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, times]) => `${times} x ${name}`)
    .join(', ');

export interface Run extends Outcome {
  /** Unknown of a run that did not end. */
  seed?: number;
  size: number;
  seconds: number;
}

/** Runs a scenario with this seed, and prints its line: the same seed repeats the same draws. */
export async function runScenario(scenario: Scenario, size: number, seed: number): Promise<Run> {
  const startedAt = performance.now();
  const label = `reliability ${scenario.row} (${scenario.title}), ${size} ${scenario.unit}, SEED=${seed}`;
  const outcome = await scenario.run(size, createRandom(seed)).catch((error: unknown) => {
    process.stdout.write(`${label}: did not end\n`);
    throw error;
  });
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  process.stdout.write(`${label}: ${outcome.figures} [${seconds} s]\n`);
  return { ...outcome, claims: merge(outcome.claims), seed, size, seconds };
}

/** The report of a run that ended with an error: it proves nothing. */
export function didNotEnd(error: Error, size: number, startedAt: number): Run {
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const claims = [{ what: 'the run ends', holds: false, found: error.message }];
  return { figures: 'did not end', claims, size, seconds };
}

/** Merges a claim of every round into one: that of the first round in which it failed, if any. */
function merge(claims: readonly Claim[]): Claim[] {
  const merged = new Map<string, Claim>();
  for (const claim of claims) {
    if (merged.get(claim.what)?.holds !== false) merged.set(claim.what, claim);
  }
  return [...merged.values()];
}
