import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DomainError } from '@causeway/domain';
import type { Response } from 'express';
import type { PoolCounts } from './metrics.ts';
import { requestFacts } from './observe-requests.ts';

export interface AdmissionLimits {
  /** Requests at work at once: those whose body has arrived and whose answer is not out. */
  requestsAtWork: number;
  /** Requests that wait for a database connection. */
  poolWaiters: number;
  eventLoopDelayMs: number;
}

export interface Admission {
  /** Refuses with `service_unavailable` while this instance has more work than it can answer in time. */
  admit: () => void;
  /** Counts the request as at work until its answer is out. */
  countWork: (response: Response) => void;
}

/** The share of the work places from which on a slow event loop is the work's doing, and not the machine's. */
const CROWD = 0.05;
const SAMPLED_EVERY_MS = 100;
const RESOLUTION_MS = 10;

/**
 * Overload is answered early, before the body is read, by what this instance can measure itself; a client that waits
 * for its body's last byte (or never sends it) is no work yet and takes nobody's place.
 */
export function createAdmission(pool: PoolCounts, limits: AdmissionLimits): Admission {
  let atWork = 0;
  const delay = recentEventLoopDelay();
  return {
    admit: () => {
      const busy =
        atWork >= limits.requestsAtWork ||
        pool.waitingCount >= limits.poolWaiters ||
        (delay() >= limits.eventLoopDelayMs && atWork >= limits.requestsAtWork * CROWD);
      if (busy) {
        throw new DomainError(
          'service_unavailable',
          'The service has more to do than it can at the moment: try again.',
        );
      }
    },
    countWork: (response) => {
      // Its 'close' has been: nothing would end this work.
      if (response.destroyed) return;
      atWork += 1;
      let working = true;
      const endWork = () => {
        atWork -= working ? 1 : 0;
        working = false;
      };
      requestFacts(response).endWork = endWork;
      // The client may take its time to read the answer: that is no work either.
      response.on('prefinish', endWork).on('close', endWork);
    },
  };
}

/** The mean delay, in milliseconds, of the last tenth of a second: one long pause is over when it can be measured. */
function recentEventLoopDelay(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let recentMs = 0;
  const timer = setInterval(() => {
    recentMs = Number.isNaN(histogram.mean) ? 0 : histogram.mean / 1e6 - RESOLUTION_MS;
    histogram.reset();
  }, SAMPLED_EVERY_MS);
  timer.unref();
  return () => recentMs;
}
