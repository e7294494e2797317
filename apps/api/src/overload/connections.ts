import { type Database, databaseBy } from '@causeway/db';
import { LRUCache } from 'lru-cache';
import type { Party } from '../request/request-facts.ts';
import { createConnectionQueues } from './connection-queues.ts';
import { createFairShare } from './fair-share.ts';

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
  const queues = createConnectionQueues(acquireTimeoutMs);

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
