import type { Random } from '@causeway/testing';

/** One claim, and the finding. */
export interface Claim {
  what: string;
  holds: boolean;
  /** The figure, in words for the report. */
  found: string;
  /** Depends on the machine's speed: for the report of the full run, never for a test. */
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

/** One proof of the table in docs/figures/reliability.md, small in the tests and in full in `torture`. */
export interface Scenario {
  /** Of the table; a row may have several scenarios. */
  row: number;
  title: string;
  /** It measures the service's speed: nothing else may run meanwhile. */
  alone?: true;
  /** How much of it: rounds, sequences, kills, requests, as `unit` says. */
  unit: string;
  full: number;
  /** How much of it in the tests, which try a row without one in another way, if at all. */
  short?: number;
  run(size: number, random: Random): Promise<Outcome>;
}

/** A claim that something never happened: `found` shows the first three occurrences. */
export function none(what: string, violations: readonly unknown[]): Claim {
  const shown = violations.slice(0, 3).map((violation) => JSON.stringify(violation));
  return {
    what,
    holds: violations.length === 0,
    found: violations.length === 0 ? 'none' : `${violations.length}: ${shown.join('; ')}`,
  };
}

/** A claim that a number has the expected value. */
export function exactly(what: string, found: number | string, expected: number | string): Claim {
  return { what, holds: found === expected, found: found === expected ? `${found}` : `${found}, not ${expected}` };
}

/** A claim about time, in milliseconds: it is reported, but fails no test. */
export function within(what: string, foundMs: number, limitMs: number): Claim {
  const over = foundMs > limitMs ? ` (${Math.ceil(foundMs - limitMs)} ms too long)` : '';
  return { what, holds: foundMs <= limitMs, found: `${Math.round(foundMs)} ms${over}`, dependsOnSpeed: true };
}
