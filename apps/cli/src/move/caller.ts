import { type Answer, type Attempt, type Call, type RestClient, repeatAfter } from '@causeway/rest-client';
import { failureOfCall, refusalOf, whyNot } from '../session/open-service.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { pause } from './pause.ts';

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
