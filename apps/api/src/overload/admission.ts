import type { ServerResponse } from 'node:http';
import type { Party } from '../request/request-facts.ts';
import { requestFacts } from '../request/request-facts.ts';
import type { WireRefusal } from '../request/wire-refusal.ts';
import type { Connections } from './connections.ts';
import { createFairShare, mayTakeMore, type Situation } from './fair-share.ts';
import { TOO_BUSY, TOO_MUCH_IN_FLIGHT } from './refusals.ts';
import { type RecentLoad, sampleLoad } from './sample-load.ts';
import { createTurns, type Turn } from './turns.ts';
import { createUnreadAnswers } from './unread-answers.ts';

export interface AdmissionLimits {
  /** Requests at work at once: those whose body has arrived and whose answer is not out. */
  requestsAtWork: number;
  /** How long a request may expect to take, by what those before it have cost. */
  expectedWaitMs: number;
  /** How long a request may wait for its turn among those of its party. */
  turnWaitMs: number;
  /** Requests that wait for a database connection. */
  poolWaiters: number;
  eventLoopDelayMs: number;
  /** Of answers that are written and not read. */
  unreadBytes: number;
}

/** Who waits for a database connection. */
export interface DatabaseWaiters {
  pool: { readonly waitingCount: number };
  connections: Pick<Connections, 'waiting' | 'waitingParties' | 'waitingOf'>;
}

/** Which limit a request met. */
type LimitName = 'requests_at_work' | 'expected_wait' | 'event_loop_delay' | 'database_waiters' | 'unread_answers';

export interface Admission {
  /** A refusal, `service_unavailable`, while the party has more than its share of what the instance can do in time. */
  overload: (party: Party) => WireRefusal | undefined;
  /**
   * Counts the request as its party's work until `endWork`. Resolves when it is its turn, or is undefined where that is
   * now; resolves too when the client leaves before. The more `bytes` a body has, the more others have to wait for it.
   * Throws or rejects with the refusal where the party has more than its share by now, and where its turn does not come
   * in time.
   */
  countWork: (response: ServerResponse, bytes?: number) => Promise<void> | undefined;
  /** Waits for somebody else: that is no work of this instance, and takes nobody's place. */
  waitWithoutWork: <T>(response: ServerResponse, wait: () => Promise<T>) => Promise<T>;
  /** Says how long a refusal took: that is not what others cost. */
  countRefusal: (milliseconds: number) => void;
  readonly counts: AdmissionCounts;
}

/** What operators see of it. */
export interface AdmissionCounts {
  readonly atWork: number;
  readonly millisecondsEach: number;
  readonly unreadBytes: number;
  readonly refused: Readonly<Record<LimitName, number>>;
}

/** So few of one party are never too many, however slow the machine makes them. */
const FEW = 10;
const USUAL_BODY_BYTES = 8_000;
/** From here on a body keeps the event loop for long enough that others notice. */
const HEAVY_BODY_BYTES = 64_000;

/**
 * Overload is answered early, before the body is read, by what this instance can measure itself; a client that waits
 * for its body's last byte (or never sends it) is no work yet and takes nobody's place. Who has the most in flight is
 * refused first.
 */
export function createAdmission({ pool, connections }: DatabaseWaiters, limits: AdmissionLimits): Admission {
  const refused: Record<LimitName, number> = {
    requests_at_work: 0,
    expected_wait: 0,
    event_loop_delay: 0,
    database_waiters: 0,
    unread_answers: 0,
  };
  const work = createFairShare(limits.requestsAtWork);
  // The same by what it costs the event loop: a large body as much as many small ones.
  const weights = createFairShare(Number.POSITIVE_INFINITY);
  const done = { finished: 0, refusingMs: 0 };
  const turns = createTurns();
  const unread = createUnreadAnswers(limits.unreadBytes);
  const recent = sampleLoad({
    done,
    limits,
    atWork: () => work.used,
    // A party that waits for connections of its own keeps others from none.
    lacksConnections: () => pool.waitingCount > 0 || (work.parties > 0 && connections.waitingParties >= work.parties),
    onSample() {
      unread.count();
      turns.tidy();
    },
  });
  const limitMet = (party: Party): LimitName | undefined => {
    if (!work.mayTakeMore(party)) return 'requests_at_work';
    if (!mayTakeMore(waitingFor(party))) return 'database_waiters';
    if (!unread.mayTakeMore(party)) return 'unread_answers';
    const mine = work.usedBy(party);
    if (mine >= FEW && isWaitTooLong(recent, mine)) return 'expected_wait';
    // Whoever has no less at work than the others: nobody who has nothing there is to blame.
    const isToBlame = mine > 0 && weights.usedBy(party) * weights.parties >= weights.used;
    return recent.isLoopLate && isToBlame ? 'event_loop_delay' : undefined;
  };
  const waitingFor = (party: Party): Situation => ({
    own: connections.waitingOf(party),
    used: pool.waitingCount + connections.waiting,
    capacity: limits.poolWaiters,
    parties: connections.waitingParties,
  });
  const isWaitTooLong = ({ cost, isWaitLong }: RecentLoad, mine: number): boolean => {
    if (!isWaitLong) return false;
    const most = limits.expectedWaitMs / cost.millisecondsEach;
    return !mayTakeMore({ own: mine, used: work.used, capacity: most, parties: work.parties });
  };
  const refuse = (party: Party, limit: LimitName): WireRefusal => {
    refused[limit] += 1;
    return work.parties > 1 && work.usedBy(party) > 0 ? TOO_MUCH_IN_FLIGHT : TOO_BUSY;
  };
  /** Begins, or begins again, to count; the turn comes sooner or later. */
  const enter = (response: ServerResponse, bytes: number): Turn => {
    const facts = requestFacts(response);
    const { party = '' } = facts;
    facts.endWork?.();
    if (facts.endWork === undefined) watch(response);
    const weight = 1 + Math.floor(bytes / USUAL_BODY_BYTES);
    work.take(party, 1);
    weights.take(party, weight);
    const turn = turns.take(party, bytes > HEAVY_BODY_BYTES);
    let working = true;
    facts.endWork = () => {
      if (!working) return;
      working = false;
      work.take(party, -1);
      weights.take(party, -weight);
      done.finished += 1;
      turn.end();
    };
    facts.isWaiting = () => working && turn.isWaiting;
    return turn;
  };
  const watch = (response: ServerResponse) => {
    const facts = requestFacts(response);
    unread.watch(response);
    // The client may take its time to read the answer: that is no work any more.
    response.on('prefinish', () => facts.endWork?.());
    response.on('close', () => {
      unread.forget(response);
      // What has begun goes on without its client, and counts until it is done.
      if (facts.isWaiting?.()) facts.endWork?.();
    });
  };
  const inTime = async (response: ServerResponse, started: Promise<void>) => {
    const { party = '', endWork } = requestFacts(response);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endWork?.();
    }, limits.turnWaitMs);
    await started;
    clearTimeout(timer);
    if (isLate) throw refuse(party, 'expected_wait');
  };
  return {
    overload: (party) => {
      const limit = limitMet(party);
      return limit === undefined ? undefined : refuse(party, limit);
    },
    countWork: (response, bytes = 0) => {
      const { party = '', endWork } = requestFacts(response);
      // Many may have been let in before the first of them had sent its body.
      if (endWork === undefined && !work.mayTakeMore(party)) throw refuse(party, 'requests_at_work');
      const { started } = enter(response, bytes);
      return started && inTime(response, started);
    },
    async waitWithoutWork(response, wait) {
      requestFacts(response).endWork?.();
      try {
        return await wait();
      } finally {
        // It goes on, however long its turn takes: what was asked for has happened.
        await enter(response, 0).started;
      }
    },
    countRefusal: (milliseconds) => {
      done.refusingMs += milliseconds;
    },
    get counts() {
      return {
        atWork: work.used,
        millisecondsEach: recent.cost.millisecondsEach,
        unreadBytes: unread.bytes,
        refused,
      };
    },
  };
}
