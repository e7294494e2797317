import { type Database, databaseBy } from '@causeway/db';
import { DomainError } from '@causeway/domain';
import { LRUCache } from 'lru-cache';
import type { Party } from '../request/request-facts.ts';
import { createFairShare } from './fair-share.ts';
import { createPartyQueues } from './party-queues.ts';

/** Unused views are dropped. */
const MAX_VIEWS = 1_000;

/** The database, shared fairly between parties by connection. */
export interface Connections {
  /**
   * The database as one party sees it: a statement or transaction that finds the party's connections taken waits in
   * the party's own queue, for as long as for any connection; then `service_unavailable`.
   */
  databaseOf(party: Party): Database;
  /** Statements in the queues, and their parties. */
  readonly waiting: number;
  readonly waitingParties: number;
  waitingOf(party: Party): number;
}

/** Statements that are slow or wait for a lock take no more than their party's share of the pool. */
export function createConnections(
  database: Database,
  { poolSize, acquireTimeoutMs }: { poolSize: number; acquireTimeoutMs: number },
): Connections {
  const share = createFairShare(poolSize);
  const queues = createPartyQueues({ waitMs: acquireTimeoutMs, refusal: tooManyStatements });

  async function within<T>(party: Party, work: () => Promise<T>): Promise<T> {
    if (!share.hasRoomFor(party) || queues.waitingOf(party) > 0) await queues.wait(party, () => share.take(party, 1));
    else share.take(party, 1);
    try {
      return await work();
    } finally {
      share.take(party, -1);
      queues.start(share.hasRoomFor);
    }
  }

  const views = new LRUCache<Party, Database>({ max: MAX_VIEWS });
  return {
    databaseOf(party) {
      const known = views.get(party);
      if (known !== undefined) return known;
      const view = databaseBy(database, {
        query: (statement, values) => within(party, () => database.query(statement, values)),
        transaction: (work) => within(party, () => database.transaction(work)),
      });
      views.set(party, view);
      return view;
    },
    get waiting() {
      return queues.waiting;
    },
    get waitingParties() {
      return queues.waitingParties;
    },
    waitingOf: queues.waitingOf,
  };
}

/** Not a WireRefusal: it is thrown below the domain, which recognises by it that the account is not at fault. */
function tooManyStatements(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Your organisation has too much in flight: its other requests keep the database connections that it may have. ' +
      'Try again later.',
  );
}
