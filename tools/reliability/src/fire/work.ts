import type { Random } from '@causeway/testing';
import type { ServiceWorld } from '../rig/service-world.ts';
import type { Outcome } from '../scenario.ts';

/** Where work is done under fire. */
export interface Site {
  world: ServiceWorld;
  /** What it starts ends with the scenario. */
  stack: AsyncDisposableStack;
  random: Random;
  /** How many strikes there will be. */
  strikes: number;
}

/** What is done while somebody is struck. */
export interface Work {
  /** Of the service. */
  variables?: Record<string, string>;
  begin(site: Site): Promise<BegunWork>;
}

export interface BegunWork {
  /** Resolves when a strike meets the work. */
  untilStrike?(): Promise<unknown>;
  afterStrike?(): Promise<unknown>;
  /** Ends the work, and compares what was acknowledged with what is stored. */
  judge(): Promise<Outcome>;
}
