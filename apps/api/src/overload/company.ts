import type { Party } from './party.ts';

/** The part of a measurement that is left after a second: the last five seconds or so count. */
const LEFT_AFTER_SECOND = 0.8;
/** Less than this is forgotten. */
const LEAST_MS = 1;
/** The part of the event loop's busy time from which on large bodies are the cause of its delay. */
const TELLING = 1 / 5;
/** As long as `Retry-After` says: a party that comes back earlier would delay the loop again at once. */
const REMEMBERED_MS = 5_000;

/**
 * The parties of the last five seconds, and which of them have kept the event loop with large bodies. A party that sends
 * them one after the other has nothing at work when its next one comes.
 */
export class Company {
  readonly #met = new Set<Party>();
  readonly #keepers = new Set<Party>();
  #activeMs = 0;
  #lateMsAgo = Number.POSITIVE_INFINITY;

  /** Call it with every request. */
  meet(party: Party): void {
    party.metMsAgo = 0;
    this.#met.add(party);
  }

  /** Counts how long a body of the party has kept the loop. */
  keepLoop(party: Party, milliseconds: number): void {
    party.loopMs += milliseconds;
    this.#keepers.add(party);
  }

  /** Whether no other party was met: one that is alone delays nobody else. */
  isAlone(party: Party): boolean {
    return this.#met.size <= (this.#met.has(party) ? 1 : 0);
  }

  /** Call it with every sample. `activeMs` is the event loop's busy time in it. */
  age({ elapsedMs, activeMs, isLoopLate }: { elapsedMs: number; activeMs: number; isLoopLate: boolean }): void {
    const left = LEFT_AFTER_SECOND ** (elapsedMs / 1_000);
    this.#lateMsAgo = isLoopLate ? 0 : this.#lateMsAgo + elapsedMs;
    this.#activeMs = this.#activeMs * left + activeMs;
    for (const party of this.#keepers) {
      party.loopMs *= left;
      if (party.loopMs >= LEAST_MS) continue;
      party.loopMs = 0;
      this.#keepers.delete(party);
    }
    for (const party of this.#met) {
      if (party.metMsAgo >= REMEMBERED_MS) this.#met.delete(party);
      else party.metMsAgo += elapsedMs;
    }
  }

  /**
   * Whether the party has kept the loop for at least an equal part of the time. Undefined if the loop is not late
   * because of large bodies, but because of many small requests for example, and if the party is alone.
   */
  blame(party: Party): boolean | undefined {
    if (this.isAlone(party) || this.#lateMsAgo >= REMEMBERED_MS) return undefined;
    let keptMs = 0;
    for (const { loopMs } of this.#keepers) keptMs += loopMs;
    return keptMs > this.#activeMs * TELLING ? party.loopMs * this.#keepers.size >= keptMs : undefined;
  }
}
