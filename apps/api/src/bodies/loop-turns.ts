import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Company } from '../overload/company.ts';
import type { Party } from '../overload/party.ts';
import { PartyQueue } from '../overload/party-queue.ts';

/** Others that have work wait for each turn. What takes less is over before they would notice. */
const NOTICED_MS = 10;
/** A party that is alone rests only after what would delay somebody's first request noticeably. */
const NOTICED_ALONE_MS = 100;
/** In company, what takes longer leaves the loop for longer than it took: a call that waits twice is not late twice. */
const LONG_MS = 25;
const MOST_TIMES = 2;

/** The time of the event loop. */
interface LoopClock {
  now(): number;
  rest(milliseconds: number): Promise<unknown>;
}

const THIS_LOOP: LoopClock = { now: () => performance.now(), rest: (milliseconds) => delay(milliseconds) };

/** Resolves when it is the party's turn to keep the event loop for long. */
export type TakeTurn = (party: Party) => Promise<void>;

/**
 * The turns of an event loop: each comes in a turn of the loop of its own, after the loop was left to everybody else for
 * at least as long as the one before has kept it, and for longer after a long one. So others get at least half of the
 * loop's time, and two thirds while very large bodies are processed. While a party is alone, that would be idle, so short turns
 * follow each other. The parties have turns one after the other, so that nobody waits for all that another has brought.
 */
export function createLoopTurns(company: Pick<Company, 'isAlone' | 'keepLoop'>, clock = THIS_LOOP): TakeTurn {
  const queue = new PartyQueue();
  let last: Promise<void> = Promise.resolve();
  let restUntil = 0;

  /** What begins now has let go of the loop when its next turn comes. */
  function begin(party: Party): void {
    const startedAt = clock.now();
    setImmediate(() => {
      const now = clock.now();
      const tookMs = now - startedAt;
      restUntil = now + restAfter(tookMs, company.isAlone(party));
      company.keepLoop(party, tookMs);
    });
  }

  return (party) => {
    const { started } = queue.enter(party, () => begin(party));
    last = last.then(async () => {
      await nextTurn();
      const restMs = restUntil - clock.now();
      if (restMs > 0) await clock.rest(restMs);
      queue.startNext(() => true);
    });
    return started;
  };
}

function restAfter(tookMs: number, isAlone: boolean): number {
  if (isAlone) return tookMs < NOTICED_ALONE_MS ? 0 : tookMs;
  return tookMs < NOTICED_MS ? 0 : tookMs * Math.min(MOST_TIMES, Math.max(1, tookMs / LONG_MS));
}
