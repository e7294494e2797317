import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, type Attempt, type Call, codeOf, type RestClient, repeatAfter } from '@causeway/rest-client';
import pLimit from 'p-limit';
import { failureOfCall, refusalOf, whyNot } from '../session/open-service.ts';

/** How many calls of a kind are sent at once. */
interface Limiter {
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
function createLimiter(halt: AbortSignal, fixed?: number): Limiter {
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

/** The answer that a call got in the end. */
export interface Called extends Answer {
  /** An attempt before it got no answer that says what it did: it may have had its effect already. */
  isRepeated: boolean;
}

/** Makes calls until they are answered. */
export interface Caller {
  call(kind: 'process' | 'other', call: Call): Promise<Called>;
  /** How many calls may be sent at once, those of both kinds. */
  readonly limit: number;
  /** Why calls wait at this moment; undefined while they get through. */
  readonly trouble: string | undefined;
  readonly requests: number;
}

export interface CallerOptions {
  client: RestClient;
  /** The address, for sentences. */
  url: string;
  patienceMs: number;
  concurrency: number | undefined;
  /** Aborted: what would have to wait is left as it is. */
  halt: AbortSignal;
}

/** An answer of 500 so often, while other calls get through, is about this call. */
const MOST_FAILURES = 5;

/** What there was of one call so far, the last attempt included. */
interface History {
  attempts: number;
  /** Those that were answered with 500. */
  failures: number;
  beganAt: number;
}

/**
 * Calls get through, whatever the service answers meanwhile, within `patienceMs`. Afterwards one that fails alone has
 * its last answer; if none gets through, a Failure says that the service is out of reach. So does one that no call can
 * fix, such as a revoked key.
 */
export function createCaller({ client, url, patienceMs, concurrency, halt }: CallerOptions): Caller {
  const limiters: Record<'process' | 'other', Limiter> = {
    process: createLimiter(halt, concurrency),
    other: createLimiter(halt, concurrency),
  };
  let answeredAt = performance.now();
  let trouble: string | undefined;

  /** Its answer if no other attempt is worth it: the pause before the next one if it is. */
  function judge(attempt: Attempt, { attempts, failures, beganAt }: History): Answer | { pauseMs: number } {
    const pauseMs = repeatAfter(attempt, attempts);
    const { answer } = attempt;
    if (pauseMs === undefined) {
      if (answer === undefined) throw failureOfCall(attempt.failure, url);
      answeredAt = performance.now();
      trouble = undefined;
      return answer;
    }
    trouble = whyNot(attempt);
    const isAlone = answeredAt > beganAt;
    if (answer?.status === 500 && failures >= MOST_FAILURES && isAlone) return answer;
    if (performance.now() + pauseMs - beganAt <= patienceMs) return { pauseMs };
    if (answer !== undefined && isAlone) return answer;
    throw answer === undefined ? failureOfCall(attempt.failure, url) : refusalOf(answer);
  }

  return {
    get limit() {
      return concurrency ?? limiters.process.limit + limiters.other.limit;
    },
    get trouble() {
      return trouble;
    },
    get requests() {
      return client.requestCount();
    },
    async call(kind, call) {
      const history: History = { attempts: 0, failures: 0, beganAt: performance.now() };
      for (let isRepeated = false; ; ) {
        const attempt = await limiters[kind].run(() => client.attempt(call));
        history.attempts += 1;
        if (attempt.answer?.status === 500) history.failures += 1;
        const judged = judge(attempt, history);
        if ('status' in judged) return { ...judged, isRepeated };
        isRepeated ||= mayHaveHadEffect(attempt);
        await pause(judged.pauseMs, halt);
      }
    },
  };
}

/** 429 is answered before anything is done. */
const mayHaveHadEffect = ({ answer }: Attempt) => answer?.status !== 429;

/** Thrown where a call would have to wait and may not. */
export class Halted extends Error {}

/** Waits; throws a `Halted` as soon as `halt` is aborted. */
export async function pause(ms: number, halt: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: halt }).catch(() => {
    throw new Halted();
  });
}
