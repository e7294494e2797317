import type { ServerResponse } from 'node:http';
import type { Party } from '../request/request-facts.ts';
import { requestFacts } from '../request/request-facts.ts';
import type { WireRefusal } from '../request/wire-refusal.ts';
import { type DatabaseWaiters, type LimitName, limitMet, type Standing } from './limit-met.ts';
import { TOO_BUSY, TOO_MUCH_IN_FLIGHT } from './refusals.ts';
import { sampleLoad } from './sample-load.ts';
import { createUnreadAnswers } from './unread-answers.ts';
import { createWork, type Work } from './work.ts';

export interface AdmissionLimits {
  /** Requests at work: those whose body has arrived and whose answer has not been sent. */
  requestsAtWork: number;
  /** The maximum expected duration of a request, from the cost of recent ones. */
  expectedWaitMs: number;
  /** How long a request may wait for its turn in its party's queue. */
  turnWaitMs: number;
  /** Requests that wait for a database connection. */
  poolWaiters: number;
  eventLoopDelayMs: number;
  /** Bytes of unread answers. */
  unreadBytes: number;
}

export interface Admission {
  /**
   * The refusal, `service_unavailable`, while the party holds more than its share of what the instance can process in
   * time.
   */
  overload: (party: Party) => WireRefusal | undefined;
  /**
   * Counts the request as its party's work until `endWork`. Resolves when its turn comes, or is undefined if that is
   * now; also resolves if the client disconnects before. The more `bytes` a body has, the longer others have to wait
   * for it. Throws or rejects with the refusal if the party now holds more than its share, or its turn does not come in
   * time.
   */
  countWork: (response: ServerResponse, bytes?: number) => Promise<void> | undefined;
  /** Waits for an external call: that is not work of this instance, and holds no place. */
  waitWithoutWork: <T>(response: ServerResponse, wait: () => Promise<T>) => Promise<T>;
  /** Records how long a refusal took, so that it does not count as the cost of requests. */
  countRefusal: (milliseconds: number) => void;
  readonly counts: AdmissionCounts;
  /** Ends its measurements. */
  stop(): void;
}

/** The figures for operators. */
export interface AdmissionCounts {
  readonly atWork: number;
  readonly millisecondsEach: number;
  readonly unreadBytes: number;
  readonly refused: Readonly<Record<LimitName, number>>;
}

/**
 * Overload is refused early, before the body is read, from this instance's own measurements. A client that is still
 * sending its body (or never does) is not work yet and holds no place. The party with the most in flight is refused
 * first.
 */
export function createAdmission(waiters: DatabaseWaiters, limits: AdmissionLimits): Admission {
  const refused = noneRefused();
  const done = { finished: 0, refusingMs: 0 };
  const unread = createUnreadAnswers(limits.unreadBytes);
  const onFinished = () => {
    done.finished += 1;
  };
  const work = createWork({ mostRequests: limits.requestsAtWork, unread, onFinished });
  const recent = sampleLoad({
    done,
    limits,
    atWork: () => work.requests.used,
    isUsedUp: () => lacksConnections(waiters, work) || work.turns.areUsedUp,
    onSample(sample) {
      work.keepers.age(sample);
      unread.count();
      work.tidy();
    },
  });
  const standing: Standing = { work, waiters, unread, recent, limits };
  const refuse = (party: Party, limit: LimitName): WireRefusal => {
    refused[limit] += 1;
    return work.requests.parties > 1 && work.requests.usedBy(party) > 0 ? TOO_MUCH_IN_FLIGHT : TOO_BUSY;
  };
  return {
    overload(party) {
      const limit = limitMet(standing, party);
      return limit === undefined ? undefined : refuse(party, limit);
    },
    countWork(response, bytes = 0) {
      const { party = '', endWork } = requestFacts(response);
      // Many may have been admitted before the first one had sent its body.
      if (endWork === undefined && !work.requests.mayTakeMore(party)) throw refuse(party, 'requests_at_work');
      const { started } = work.begin(response, bytes);
      return started && inTime(response, started, { ms: limits.turnWaitMs, refuse });
    },
    async waitWithoutWork(response, wait) {
      requestFacts(response).endWork?.();
      try {
        return await wait();
      } finally {
        // It continues, however long its turn takes: the external call has happened.
        await work.begin(response, 0).started;
      }
    },
    countRefusal(milliseconds) {
      done.refusingMs += milliseconds;
    },
    get counts() {
      const { millisecondsEach } = recent.cost;
      return { atWork: work.requests.used, millisecondsEach, unreadBytes: unread.bytes, refused };
    },
    stop: recent.stop,
  };
}

function noneRefused(): Record<LimitName, number> {
  return { requests_at_work: 0, expected_wait: 0, event_loop_delay: 0, database_waiters: 0, unread_answers: 0 };
}

/** A party that waits for its own connections does not block others. */
function lacksConnections({ pool, connections }: DatabaseWaiters, { requests }: Work): boolean {
  return pool.waitingCount > 0 || (requests.parties > 0 && connections.waitingParties >= requests.parties);
}

/** Waits until the request's turn has come; what comes too late is work no more, and refused. */
async function inTime(
  response: ServerResponse,
  started: Promise<void>,
  { ms, refuse }: { ms: number; refuse: (party: Party, limit: LimitName) => WireRefusal },
): Promise<void> {
  const { party = '', endWork } = requestFacts(response);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endWork?.();
  }, ms);
  await started;
  clearTimeout(timer);
  if (isLate) throw refuse(party, 'expected_wait');
}
