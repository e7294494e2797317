import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** What takes less is over before anybody else would notice. */
const NOTICED_MS = 10;
const LONGEST_REST_MS = 100;

let last: Promise<void> = Promise.resolve();
let restUntil = 0;

/**
 * Resolves in a turn of the event loop of its own, after all who asked before, and after the loop was left to everybody
 * else for as long as the one before has kept it: however much comes, half of the loop is theirs.
 */
export function takeTurn(): Promise<void> {
  last = last.then(async () => {
    await nextTurn();
    const restMs = restUntil - performance.now();
    if (restMs > 0) await delay(restMs);
    noteWhatFollows();
  });
  return last;
}

/** What begins now has let go of the loop when its next turn comes. */
function noteWhatFollows(): void {
  const startedAt = performance.now();
  setImmediate(() => {
    const now = performance.now();
    const tookMs = now - startedAt;
    restUntil = tookMs < NOTICED_MS ? 0 : now + Math.min(tookMs, LONGEST_REST_MS);
  });
}
