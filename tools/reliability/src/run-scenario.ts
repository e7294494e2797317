import { createRandom, readSeed } from '@causeway/testing';
import type { Claim, Outcome, Scenario } from './scenario.ts';

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

/** The short form, for a test: the failed claims that do not depend on the machine's speed. */
export async function brokenPromises(scenario: Scenario, size: number): Promise<string[]> {
  const { claims } = await runScenario(scenario, size, readSeed());
  return claims
    .filter(({ holds, dependsOnSpeed }) => !holds && dependsOnSpeed !== true)
    .map(({ what, found }) => `${what}: ${found}`);
}

/** Merges a claim of every round into one: that of the first round in which it failed, if any. */
function merge(claims: readonly Claim[]): Claim[] {
  const merged = new Map<string, Claim>();
  for (const claim of claims) {
    if (merged.get(claim.what)?.holds !== false) merged.set(claim.what, claim);
  }
  return [...merged.values()];
}
