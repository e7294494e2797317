import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from './random.ts';

export interface Strikes {
  times: number;
  /** How long the victim is left in peace before each strike, drawn evenly. */
  peaceMs: { from: number; to: number };
  /** Kills, and brings back. */
  strike: (number: number) => Promise<void>;
}

/** The asynchronous killer: strikes at drawn moments, whatever else goes on, until it has struck `times` times. */
export async function strikeAtRandom(random: Random, { times, peaceMs, strike }: Strikes): Promise<void> {
  for (let number = 1; number <= times; number += 1) {
    await delay(random.integer(peaceMs.from, peaceMs.to));
    await strike(number);
  }
}
