import type { Database } from '@causeway/db';
import { DomainError } from '@causeway/domain';
import { LRUCache } from 'lru-cache';
import type { Party } from '../request/request-facts.ts';
import { createFairShare } from './fair-share.ts';

/** Views that nobody uses any more are forgotten. */
const MAX_VIEWS = 1_000;

/** The database, shared between parties connection by connection. */
export interface Connections {
  /**
   * The database as one party sees it: a statement or transaction that finds the party's connections taken waits in
   * the party's own queue, for as long as for any connection; then `service_unavailable`.
   */
  databaseOf(party: Party): Database;
  /** Statements in the queues, and the parties they are of. */
  readonly waiting: number;
  readonly waitingParties: number;
  waitingOf(party: Party): number;
}

interface Waiter {
  start: () => void;
}

/** Slow statements, or those that wait for a lock, take no more than their party's share of the pool. */
export function createConnections(
  database: Database,
  { poolSize, acquireTimeoutMs }: { poolSize: number; acquireTimeoutMs: number },
): Connections {
  const share = createFairShare(poolSize);
  // In the order of their turns: who has had one goes to the end.
  const queues = new Map<Party, Set<Waiter>>();
  let waiting = 0;

  function leave(party: Party, waiter: Waiter): void {
    const queue = queues.get(party);
    if (queue?.delete(waiter)) waiting -= 1;
    if (queue?.size === 0) queues.delete(party);
  }

  function startNext(): void {
    for (const [party, queue] of queues) {
      const [waiter] = queue;
      if (waiter === undefined || !share.hasRoomFor(party)) continue;
      queues.delete(party);
      queues.set(party, queue);
      leave(party, waiter);
      waiter.start();
      startNext();
      return;
    }
  }

  function wait(party: Party): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        start() {
          clearTimeout(timer);
          share.take(party, 1);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave(party, waiter);
        reject(tooManyStatements());
      }, acquireTimeoutMs);
      const queue = queues.get(party) ?? new Set();
      queues.set(party, queue.add(waiter));
      waiting += 1;
    });
  }

  async function within<T>(party: Party, work: () => Promise<T>): Promise<T> {
    if (share.hasRoomFor(party) && !queues.has(party)) share.take(party, 1);
    else await wait(party);
    try {
      return await work();
    } finally {
      share.take(party, -1);
      startNext();
    }
  }

  const views = new LRUCache<Party, Database>({ max: MAX_VIEWS });
  return {
    databaseOf(party) {
      const known = views.get(party);
      if (known !== undefined) return known;
      const view: Database = {
        ...database,
        query: (statement, values) => within(party, () => database.query(statement, values)),
        transaction: (work) => within(party, () => database.transaction(work)),
      };
      views.set(party, view);
      return view;
    },
    get waiting() {
      return waiting;
    },
    get waitingParties() {
      return queues.size;
    },
    waitingOf: (party) => queues.get(party)?.size ?? 0,
  };
}

/** No WireRefusal: it is thrown below the domain, which knows by it that the account is not at fault. */
function tooManyStatements(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Your organisation has too much in flight: its other requests keep the database connections that it may have. ' +
      'Try again later.',
  );
}
