import type { Party } from '../request/request-facts.ts';

/** The part of a measurement that is left after a second: the last five seconds or so count. */
const LEFT_AFTER_SECOND = 0.8;
/** Less than this is forgotten. */
const LEAST_MS = 1;
/** The part of the event loop's busy time from which on large bodies are the cause of its delay. */
const TELLING = 1 / 5;
/** As long as `Retry-After` says: a party that comes back earlier would delay the loop again at once. */
const REFUSED_FOR_MS = 5_000;

/**
 * The parties whose large bodies have recently kept the event loop. A party that sends them one after the other has
 * nothing at work when its next one comes.
 */
export interface LoopKeepers {
  /** Call it with every request: a party that is alone delays nobody else. */
  meet(party: Party): void;
  /** Whether no other party was met in the last five seconds. */
  isAlone(party: Party): boolean;
  /** Counts how long a body of the party has kept the loop. */
  add(party: Party, milliseconds: number): void;
  /** Call it with every sample. `activeMs` is the event loop's busy time in it. */
  age(sample: { elapsedMs: number; activeMs: number; isLoopLate: boolean }): void;
  /**
   * Whether the party has kept the loop for at least an equal part of the time. Undefined if the loop is not late
   * because of large bodies, but because of many small requests for example, and if the party is alone.
   */
  blame(party: Party): boolean | undefined;
}

export function createLoopKeepers(): LoopKeepers {
  const kept = new Map<Party, number>();
  const metMsAgo = new Map<Party, number>();
  let activeMs = 0;
  let lateMsAgo = Number.POSITIVE_INFINITY;
  const isAlone = (party: Party) => metMsAgo.size <= (metMsAgo.has(party) ? 1 : 0);
  return {
    isAlone,
    meet(party) {
      metMsAgo.set(party, 0);
    },
    add(party, milliseconds) {
      kept.set(party, (kept.get(party) ?? 0) + milliseconds);
    },
    age(sample) {
      const left = LEFT_AFTER_SECOND ** (sample.elapsedMs / 1_000);
      lateMsAgo = sample.isLoopLate ? 0 : lateMsAgo + sample.elapsedMs;
      activeMs = activeMs * left + sample.activeMs;
      for (const [party, milliseconds] of kept) {
        if (milliseconds * left < LEAST_MS) kept.delete(party);
        else kept.set(party, milliseconds * left);
      }
      for (const [party, msAgo] of metMsAgo) {
        if (msAgo >= REFUSED_FOR_MS) metMsAgo.delete(party);
        else metMsAgo.set(party, msAgo + sample.elapsedMs);
      }
    },
    blame(party) {
      if (isAlone(party) || lateMsAgo >= REFUSED_FOR_MS) return undefined;
      const keptMs = kept.values().reduce((sum, milliseconds) => sum + milliseconds, 0);
      return keptMs > activeMs * TELLING ? (kept.get(party) ?? 0) * kept.size >= keptMs : undefined;
    },
  };
}
