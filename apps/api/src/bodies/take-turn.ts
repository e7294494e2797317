import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Party } from '../request/request-facts.ts';

/** What takes less is over before anybody else would notice. */
const NOTICED_MS = 10;

interface Waiting {
  start: () => void;
  countTime: (milliseconds: number) => void;
}

/** In the order of their turns: a party that has had one goes to the end. */
const queues = new Map<Party, Waiting[]>();
let last: Promise<void> = Promise.resolve();
let restUntil = 0;

/**
 * Resolves in a turn of the event loop of its own, after the loop was left to everybody else for as long as the one
 * before has kept it: however much comes, half of the loop is theirs. The parties have turns one after the other, so that
 * nobody waits for all that another has brought. `countTime` is told how long the loop was kept.
 */
export function takeTurn(party: Party = '', countTime: (milliseconds: number) => void = () => {}): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const queue = queues.get(party) ?? [];
  queue.push({ start: resolve, countTime });
  queues.set(party, queue);
  last = last.then(async () => {
    await nextTurn();
    const restMs = restUntil - performance.now();
    if (restMs > 0) await delay(restMs);
    startNext();
  });
  return promise;
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

/** What begins now has let go of the loop when its next turn comes. */
function begin({ start, countTime }: Waiting): void {
  const startedAt = performance.now();
  setImmediate(() => {
    const now = performance.now();
    const tookMs = now - startedAt;
    restUntil = tookMs < NOTICED_MS ? 0 : now + tookMs;
    countTime(tookMs);
  });
  start();
}
