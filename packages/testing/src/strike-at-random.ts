import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './random.ts';

export interface Strikes {
  times: number;
  /** The pause before each strike, drawn uniformly. */
  peaceMs: { from: number; to: number };
  /** Kills the victim and restarts it. */
  strike: (number: number) => Promise<void>;
}

/** Strikes at random times, independently of everything else, until it has struck `times` times. */
export async function strikeAtRandom(random: Random, { times, peaceMs, strike }: Strikes): Promise<void> {
  for (let number = 1; number <= times; number += 1) {
    await delay(random.integer(peaceMs.from, peaceMs.to));
    await strike(number);
  }
}
