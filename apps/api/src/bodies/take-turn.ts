import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Party } from '../request/request-facts.ts';

/** What takes less is over before anybody else would notice. */
const NOTICED_MS = 10;

/** In the order of their turns: a party that has had one goes to the end. */
const queues = new Map<Party, (() => void)[]>();
let last: Promise<void> = Promise.resolve();
let restUntil = 0;

/**
 * Resolves in a turn of the event loop of its own, after the loop was left to everybody else for as long as the one
 * before has kept it: however much comes, half of the loop is theirs. The parties have turns one after the other, so that
 * nobody waits for all that another has brought.
 */
export function takeTurn(party: Party = ''): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const queue = queues.get(party) ?? [];
  queue.push(resolve);
  queues.set(party, queue);
  last = last.then(async () => {
    await nextTurn();
    const restMs = restUntil - performance.now();
    if (restMs > 0) await delay(restMs);
    noteWhatFollows();
    startNext();
  });
  return promise;
}

function startNext(): void {
  for (const [party, queue] of queues) {
    const start = queue.shift();
    queues.delete(party);
    if (queue.length > 0) queues.set(party, queue);
    start?.();
    return;
  }
}

/** What begins now has let go of the loop when its next turn comes. */
function noteWhatFollows(): void {
  const startedAt = performance.now();
  setImmediate(() => {
    const now = performance.now();
    const tookMs = now - startedAt;
    restUntil = tookMs < NOTICED_MS ? 0 : now + tookMs;
  });
}
