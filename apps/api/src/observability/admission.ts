import type { ServerResponse } from 'node:http';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { DomainError } from '@causeway/domain';
import type { PoolCounts } from './metrics.ts';
import { requestFacts } from './observe-requests.ts';

export interface AdmissionLimits {
  /** Requests at work at once: those whose body has arrived and whose answer is not out. */
  requestsAtWork: number;
  /** How long a request may expect to take, by what those before it have cost. */
  expectedWaitMs: number;
  /** Requests that wait for a database connection. */
  poolWaiters: number;
  eventLoopDelayMs: number;
}

export interface Admission {
  /** A refusal, `service_unavailable`, while this instance has more work than it can answer in time. */
  overload: () => DomainError | undefined;
  /** Counts the request as at work until its answer is out. */
  countWork: (response: ServerResponse) => void;
}

/** The share of the work places from which on slowness is the work's doing, and not the machine's. */
const CROWD = 0.05;
const SAMPLED_EVERY_MS = 100;
/** Of a sample, in what requests cost: one pause does not make them all look dear. */
const SAMPLE_WEIGHT = 0.1;
/** The share of a sample from which on its requests, and not the service's own chores, were what it was spent on. */
const BUSY = 0.5;
const RESOLUTION_MS = 10;

/** Made once: at thousands of refusals a second the stack of each would cost as much as its answer. */
const TOO_BUSY = new DomainError(
  'service_unavailable',
  'The service has more to do than it can at the moment: try again.',
);

/**
 * Overload is answered early, before the body is read, by what this instance can measure itself; a client that waits
 * for its body's last byte (or never sends it) is no work yet and takes nobody's place.
 */
export function createAdmission(pool: PoolCounts, limits: AdmissionLimits): Admission {
  let atWork = 0;
  let finished = 0;
  const recent = sampleRecent(pool, () => finished);
  return {
    overload: () => {
      const slow =
        atWork * recent.millisecondsEach >= limits.expectedWaitMs || recent.eventLoopDelayMs >= limits.eventLoopDelayMs;
      const busy =
        (slow && atWork >= limits.requestsAtWork * CROWD) ||
        atWork >= limits.requestsAtWork ||
        pool.waitingCount >= limits.poolWaiters;
      return busy ? TOO_BUSY : undefined;
    },
    countWork: (response) => {
      // Its 'close' has been: nothing would end this work.
      if (response.destroyed) return;
      atWork += 1;
      let working = true;
      const endWork = () => {
        if (!working) return;
        working = false;
        atWork -= 1;
        finished += 1;
      };
      requestFacts(response).endWork = endWork;
      // The client may take its time to read the answer: that is no work either.
      response.on('prefinish', endWork).on('close', endWork);
    },
  };
}

interface Recent {
  /** The mean of the last tenth of a second: one long pause is over when it can be measured. */
  eventLoopDelayMs: number;
  /**
   * What a request has cost of what there is too little of: the event loop's time, or all time while the pool has no
   * connection left. What only waits, for a vendor or a lock, costs nothing.
   */
  millisecondsEach: number;
}

/** What the last moments were like, sampled, so that to ask costs nothing. */
function sampleRecent(pool: PoolCounts, countFinished: () => number): Recent {
  const recent: Recent = { eventLoopDelayMs: 0, millisecondsEach: 0 };
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let [spent, finished] = [0, 0];
  let last = { at: performance.now(), loop: performance.eventLoopUtilization(), finished: 0 };
  const timer = setInterval(() => {
    recent.eventLoopDelayMs = Number.isNaN(histogram.mean) ? 0 : histogram.mean / 1e6 - RESOLUTION_MS;
    histogram.reset();
    const now = { at: performance.now(), loop: performance.eventLoopUtilization(), finished: countFinished() };
    const elapsed = now.at - last.at;
    const busy = pool.waitingCount > 0 ? elapsed : now.loop.active - last.loop.active;
    if (busy >= elapsed * BUSY) {
      // A sample that comes late weighs as much as those it stands for.
      const kept = (1 - SAMPLE_WEIGHT) ** (elapsed / SAMPLED_EVERY_MS);
      spent = spent * kept + busy;
      finished = finished * kept + now.finished - last.finished;
      recent.millisecondsEach = spent / Math.max(finished, 1);
    }
    last = now;
  }, SAMPLED_EVERY_MS);
  timer.unref();
  return recent;
}
