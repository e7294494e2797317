import type { Party } from '../request/request-facts.ts';
import type { Connections } from './connections.ts';
import { mayTakeMore, type Situation } from './fair-share.ts';
import type { RecentLoad } from './sample-load.ts';
import type { UnreadAnswers } from './unread-answers.ts';
import type { Work } from './work.ts';

/** A limit that a request can meet. */
export type LimitName =
  | 'requests_at_work'
  | 'expected_wait'
  | 'event_loop_delay'
  | 'database_waiters'
  | 'unread_answers';

/** The calls waiting for a database connection. */
export interface DatabaseWaiters {
  pool: { readonly waitingCount: number };
  connections: Pick<Connections, 'waiting' | 'waitingParties' | 'waitingOf'>;
}

/** How things stand in the instance. */
export interface Standing {
  work: Work;
  waiters: DatabaseWaiters;
  unread: UnreadAnswers;
  recent: RecentLoad;
  limits: { readonly expectedWaitMs: number; readonly poolWaiters: number };
}

/** This few requests of a party are never too many, however slow the machine is. */
const FEW = 10;

/** The limit that one more request of this party meets; undefined where it may come. */
export function limitMet(standing: Standing, party: Party): LimitName | undefined {
  const { work, unread } = standing;
  if (!work.requests.mayTakeMore(party)) return 'requests_at_work';
  if (!mayTakeMore(waitingFor(standing, party))) return 'database_waiters';
  if (!unread.mayTakeMore(party)) return 'unread_answers';
  const hasKeptLoop = work.keepers.blame(party);
  // What piles up while the large bodies of others keep the loop is not this party's fault.
  if (hasKeptLoop === false) return undefined;
  const mine = work.requests.usedBy(party);
  if (mine >= FEW && isWaitTooLong(standing, mine)) return 'expected_wait';
  return hasKeptLoop || delaysLoop(standing, party) ? 'event_loop_delay' : undefined;
}

/** A party with at least as much at work as the others: one without work is not the cause. */
function delaysLoop({ work: { weights }, recent }: Standing, party: Party): boolean {
  const mine = weights.usedBy(party);
  return recent.isLoopLate && mine > 0 && mine * weights.parties >= weights.used;
}

function waitingFor({ waiters: { pool, connections }, limits }: Standing, party: Party): Situation {
  return {
    own: connections.waitingOf(party),
    used: pool.waitingCount + connections.waiting,
    capacity: limits.poolWaiters,
    parties: connections.waitingParties,
  };
}

function isWaitTooLong({ work, recent, limits }: Standing, mine: number): boolean {
  if (!recent.isWaitLong) return false;
  const most = limits.expectedWaitMs / recent.cost.millisecondsEach;
  return !mayTakeMore({ own: mine, used: work.requests.used, capacity: most, parties: work.requests.parties });
}
