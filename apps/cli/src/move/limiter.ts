import { type Attempt, codeOf } from '@causeway/rest-client';
import pLimit from 'p-limit';
import { pause } from './pause.ts';

/** How many calls of a kind are sent at once. */
export interface Limiter {
  /** Now; it changes as the service answers, unless it is fixed. */
  readonly limit: number;
  run(send: () => Promise<Attempt>): Promise<Attempt>;
}

const FIRST_LIMIT = 4;
const HIGHEST_LIMIT = 64;
/** Fewer calls say little about how long calls take. */
const LEAST_OF_A_ROUND = 8;
/**
 * Calls that take longer than this many times the shortest only wait for each other. A service that writes concurrent
 * calls together gets faster long after they begin to wait.
 */
const SLOWER_BY = 6;
/** The shortest time is forgotten slowly: it may have been that of smaller accounts. */
const FORGET = 1.02;
const CUT_TO = 0.7;
/** After the import supplier's own limit was met, a higher one is tried this rarely. */
const KEEP_BELOW_MS = 10_000;

/**
 * Finds how many calls at once the service takes: one more after each round of successes while they take no longer, 0.7
 * of them when it is overloaded, and none until its `Retry-After`. `fixed` keeps the number. A pause ends with a `Halted`
 * once `halt` is aborted.
 */
export function createLimiter(halt: AbortSignal, fixed?: number): Limiter {
  const turns = pLimit(fixed ?? FIRST_LIMIT);
  let round: number[] = [];
  let shortestMs = Number.POSITIVE_INFINITY;
  let cutAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = 0;
  let ceiling = { limit: HIGHEST_LIMIT, until: 0 };

  function grow(ms: number): void {
    round.push(ms);
    if (round.length < Math.max(turns.concurrency, LEAST_OF_A_ROUND)) return;
    const median = round.sort((one, other) => one - other)[round.length >> 1] ?? ms;
    round = [];
    shortestMs = Math.min(shortestMs * FORGET, median);
    const highest = performance.now() < ceiling.until ? ceiling.limit : HIGHEST_LIMIT;
    // Without calls that wait, it is not the limit that keeps them few.
    const isWanted = turns.pendingCount > 0 || turns.activeCount >= turns.concurrency;
    if (isWanted && median <= shortestMs * SLOWER_BY && turns.concurrency < highest) turns.concurrency += 1;
  }

  /** Calls that were sent before the last cut say the same again. */
  function cut(sentAt: number, attempt: Attempt): void {
    const now = performance.now();
    const isOwnLimit = attempt.answer !== undefined && codeOf(attempt.answer) === 'concurrency_limit_exceeded';
    // The calls that have their slots continue: only the refused one waits.
    if (attempt.answer !== undefined && !isOwnLimit) pausedUntil = Math.max(pausedUntil, now + attempt.retryAfterMs);
    if (sentAt < cutAt) return;
    if (isOwnLimit) ceiling = { limit: Math.max(1, turns.concurrency - 1), until: now + KEEP_BELOW_MS };
    turns.concurrency = isOwnLimit ? ceiling.limit : Math.max(1, Math.floor(turns.concurrency * CUT_TO));
    cutAt = now;
    round = [];
  }

  return {
    get limit() {
      return turns.concurrency;
    },
    run: (send) =>
      turns(async () => {
        while (pausedUntil > performance.now()) await pause(pausedUntil - performance.now(), halt);
        const sentAt = performance.now();
        const attempt = await send();
        if (isOverload(attempt)) {
          if (fixed === undefined) cut(sentAt, attempt);
        } else if (fixed === undefined) grow(performance.now() - sentAt);
        return attempt;
      }),
  };
}

function isOverload({ answer }: Attempt): boolean {
  return answer === undefined || answer.status === 408 || answer.status === 429 || answer.status === 503;
}
