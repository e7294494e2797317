import { WireRefusal } from '../http/wire-refusal.ts';
import type { Company } from './company.ts';
import type { Connections } from './connections.ts';
import type { Load } from './load.ts';
import { mayTakeMore, type Party } from './party.ts';
import type { AtWork, UnreadAnswers } from './work.ts';

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

/** The limits that a request can meet. */
export const LIMIT_NAMES = [
  'requests_at_work',
  'expected_wait',
  'event_loop_delay',
  'database_waiters',
  'unread_answers',
] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** The calls waiting for a database connection. */
export interface DatabaseWaiters {
  pool: { readonly waitingCount: number };
  connections: Pick<Connections, 'queue'>;
}

/** How things stand in the instance. */
export interface InstanceLoad {
  work: Pick<AtWork, 'requests' | 'weights'>;
  company: Company;
  waiters: DatabaseWaiters;
  unread: Pick<UnreadAnswers, 'share'>;
  recent: Pick<Load, 'isWaitLong' | 'isLoopLate'> & { cost: { readonly millisecondsEach: number } };
  limits: Pick<AdmissionLimits, 'expectedWaitMs' | 'poolWaiters'>;
}

/** This few requests of a party are never too many, however slow the machine is. */
const FEW = 10;

/** The limit that one more request of this party meets; undefined where it may come. */
export function limitMet(standing: InstanceLoad, party: Party): LimitName | undefined {
  const { work, unread, company } = standing;
  if (!work.requests.mayTakeMore(party)) return 'requests_at_work';
  if (!mayWait(standing, party)) return 'database_waiters';
  if (!unread.share.mayTakeMore(party)) return 'unread_answers';
  const hasKeptLoop = company.blame(party);
  // What piles up while the large bodies of others keep the loop is not this party's fault.
  if (hasKeptLoop === false) return undefined;
  if (party.atWork >= FEW && isWaitTooLong(standing, party)) return 'expected_wait';
  return hasKeptLoop || delaysLoop(standing, party) ? 'event_loop_delay' : undefined;
}

/** A party with at least as much at work as the others: one without work is not the cause. */
function delaysLoop({ work: { weights }, recent }: InstanceLoad, { weight }: Party): boolean {
  return recent.isLoopLate && weight > 0 && weight * weights.parties >= weights.used;
}

function mayWait({ waiters: { pool, connections }, limits }: InstanceLoad, party: Party): boolean {
  const { queue } = connections;
  const used = pool.waitingCount + queue.waiting;
  if (used === 0) return true;
  return mayTakeMore({ own: queue.waitingOf(party), used, capacity: limits.poolWaiters, parties: queue.parties });
}

function isWaitTooLong({ work: { requests }, recent, limits }: InstanceLoad, party: Party): boolean {
  return recent.isWaitLong && !requests.mayTakeMore(party, limits.expectedWaitMs / recent.cost.millisecondsEach);
}

/** Created once: at thousands of refusals a second, each stack would cost as much as its answer. */
export const TOO_BUSY = new WireRefusal(
  'service_unavailable',
  'The service is overloaded. Your request was not processed; retry.',
);
/** Likewise, for a party that holds more than its share in company. */
export const TOO_MUCH_IN_FLIGHT = new WireRefusal(
  'service_unavailable',
  'Your organisation has too many requests in flight: the rest of the capacity is for others. Your request was not ' +
    'processed; wait for answers, then retry.',
);
