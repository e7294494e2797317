import type { ServerResponse } from 'node:http';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { DomainError } from '@causeway/domain';
import type { PoolCounts } from './metrics.ts';
import { requestFacts } from './observe-requests.ts';
import { createRequestCost, SAMPLE_MS } from './request-cost.ts';

export interface AdmissionLimits {
  /** Requests at work at once: those whose body has arrived and whose answer is not out. */
  requestsAtWork: number;
  /** How long a request may expect to take, by what those before it have cost. */
  expectedWaitMs: number;
  /** Requests that wait for a database connection. */
  poolWaiters: number;
  eventLoopDelayMs: number;
}

/** Which limit a request met. */
type LimitName = 'requests_at_work' | 'expected_wait' | 'event_loop_delay' | 'database_waiters';

export interface Admission {
  /** A refusal, `service_unavailable`, while this instance has more work than it can answer in time. */
  overload: () => DomainError | undefined;
  /** Counts the request as at work until its answer is out. */
  countWork: (response: ServerResponse) => void;
  /** Says how long a refusal took: that is not what others cost. */
  countRefusal: (milliseconds: number) => void;
  readonly counts: AdmissionCounts;
}

/** What operators see of it. */
export interface AdmissionCounts {
  readonly atWork: number;
  readonly millisecondsEach: number;
  readonly refused: Readonly<Record<LimitName, number>>;
}

/** So few are never too many, however slow the machine makes them. */
const FEW = 10;
const RESOLUTION_MS = 10;

/** Made once: at thousands of refusals a second the stack of each would cost as much as its answer. */
const TOO_BUSY = new DomainError(
  'service_unavailable',
  'The service has more to do than it can at the moment. Nothing was begun: try again.',
);

/**
 * Overload is answered early, before the body is read, by what this instance can measure itself; a client that waits
 * for its body's last byte (or never sends it) is no work yet and takes nobody's place.
 */
export function createAdmission(pool: PoolCounts, limits: AdmissionLimits): Admission {
  const refused = { requests_at_work: 0, expected_wait: 0, event_loop_delay: 0, database_waiters: 0 };
  const work = { atWork: 0, finished: 0, refusingMs: 0 };
  const recent = sampleRecent(pool, work);
  const limitMet = (): LimitName | undefined => {
    if (work.atWork >= limits.requestsAtWork) return 'requests_at_work';
    if (pool.waitingCount >= limits.poolWaiters) return 'database_waiters';
    if (work.atWork < FEW) return undefined;
    if (work.atWork * recent.cost.millisecondsEach >= limits.expectedWaitMs) return 'expected_wait';
    return recent.eventLoopDelayMs >= limits.eventLoopDelayMs ? 'event_loop_delay' : undefined;
  };
  return {
    overload: () => {
      const limit = limitMet();
      if (limit === undefined) return undefined;
      refused[limit] += 1;
      return TOO_BUSY;
    },
    countWork: (response) => {
      // Its 'close' has been: nothing would end this work.
      if (response.destroyed) return;
      work.atWork += 1;
      let working = true;
      const endWork = () => {
        if (!working) return;
        working = false;
        work.atWork -= 1;
        work.finished += 1;
      };
      requestFacts(response).endWork = endWork;
      // The client may take its time to read the answer: that is no work either.
      response.on('prefinish', endWork).on('close', endWork);
    },
    countRefusal: (milliseconds) => {
      work.refusingMs += milliseconds;
    },
    get counts() {
      return { atWork: work.atWork, millisecondsEach: recent.cost.millisecondsEach, refused };
    },
  };
}

/** What the last moments were like, sampled, so that to ask costs nothing. */
function sampleRecent(pool: PoolCounts, work: { finished: number; refusingMs: number }) {
  // The delay is the mean of the last sample's: one long pause is over when it can be measured.
  const recent = { eventLoopDelayMs: 0, cost: createRequestCost() };
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const look = () => ({ ...work, at: performance.now(), activeMs: performance.eventLoopUtilization().active });
  let last = look();
  const timer = setInterval(() => {
    recent.eventLoopDelayMs = Number.isNaN(histogram.mean) ? 0 : histogram.mean / 1e6 - RESOLUTION_MS;
    histogram.reset();
    const now = look();
    const elapsedMs = now.at - last.at;
    const loopMs = now.activeMs - last.activeMs - (now.refusingMs - last.refusingMs);
    recent.cost.add({
      elapsedMs,
      // While nobody gets a connection, what there is too little of is not this process's time.
      spentMs: pool.waitingCount > 0 ? elapsedMs : loopMs,
      finished: now.finished - last.finished,
    });
    last = now;
  }, SAMPLE_MS);
  timer.unref();
  return recent;
}
