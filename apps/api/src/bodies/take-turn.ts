import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Party, RequestFacts } from '../request/request-facts.ts';

/** Others that have work wait for each turn. What takes less is over before they would notice. */
const NOTICED_MS = 10;
/** A party that is alone rests only after what would delay somebody's first request noticeably. */
const NOTICED_ALONE_MS = 100;
/** In company, what takes longer leaves the loop for longer than it took: a call that waits twice is not late twice. */
const LONG_MS = 25;
const MOST_TIMES = 2;

/** Who has the turn, and is told how long it kept the loop. */
type TurnTaker = Pick<RequestFacts, 'party' | 'countLoopTime' | 'isAlone'>;

interface Waiting {
  start: () => void;
  taker: TurnTaker;
}

/** The time of the event loop. */
interface LoopClock {
  now(): number;
  rest(milliseconds: number): Promise<unknown>;
}

/**
 * The turns of an event loop. The returned function resolves in a turn of the loop of its own, after the loop was left
 * to everybody else for at least as long as the one before has kept it, and the longer that was, the longer: however much
 * comes, half of the loop is theirs, and two thirds beside what is very large. While a party is alone, that would be
 * idle, so short turns follow each other. The parties have turns one after the
 * other, so that nobody waits for all that another has brought.
 */
export function createTurns(clock: LoopClock): (taker: TurnTaker) => Promise<void> {
  /** In the order of their turns: a party that has had one goes to the end. */
  const queues = new Map<Party, Waiting[]>();
  let last: Promise<void> = Promise.resolve();
  let restUntil = 0;

  /** What begins now has let go of the loop when its next turn comes. */
  function begin({ start, taker }: Waiting): void {
    const startedAt = clock.now();
    setImmediate(() => {
      const now = clock.now();
      const tookMs = now - startedAt;
      restUntil = now + restAfter(tookMs, taker.isAlone?.() ?? false);
      taker.countLoopTime?.(tookMs);
    });
    start();
  }

  function startNext(): void {
    for (const [party, queue] of queues) {
      const next = queue.shift();
      queues.delete(party);
      if (queue.length > 0) queues.set(party, queue);
      if (next !== undefined) begin(next);
      return;
    }
  }

  return (taker) => {
    const { party = '' } = taker;
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = queues.get(party) ?? [];
    queue.push({ start: resolve, taker });
    queues.set(party, queue);
    last = last.then(async () => {
      await nextTurn();
      const restMs = restUntil - clock.now();
      if (restMs > 0) await clock.rest(restMs);
      startNext();
    });
    return promise;
  };
}

function restAfter(tookMs: number, isAlone: boolean): number {
  if (isAlone) return tookMs < NOTICED_ALONE_MS ? 0 : tookMs;
  return tookMs < NOTICED_MS ? 0 : tookMs * Math.min(MOST_TIMES, Math.max(1, tookMs / LONG_MS));
}

/** The turns of this process. */
export const takeTurn = createTurns({ now: () => performance.now(), rest: (milliseconds) => delay(milliseconds) });
