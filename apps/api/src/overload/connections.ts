import type { Database } from '@causeway/db';
import { DomainError } from '@causeway/domain';
import { type Party, Share } from './party.ts';
import { PartyQueue } from './party-queue.ts';

/** The database, shared fairly between parties by connection. */
export interface Connections {
  /**
   * The database as one party sees it: a statement or transaction that finds the party's connections taken waits in
   * the party's own queue, for as long as for any connection; then `service_unavailable`.
   */
  databaseOf(party: Party): Database;
  /** The statements that wait, by party. */
  readonly queue: Pick<PartyQueue, 'waiting' | 'parties' | 'waitingOf'>;
}

/** Statements that are slow or wait for a lock take no more than their party's share of the pool. */
export function createConnections(
  database: Database,
  { poolSize, acquireTimeoutMs: ms }: { poolSize: number; acquireTimeoutMs: number },
): Connections {
  const share = new Share('connections', poolSize);
  const queue = new PartyQueue();
  const hasRoomFor = (party: Party) => share.hasRoomFor(party);

  async function within<T>(party: Party, work: () => Promise<T>): Promise<T> {
    const take = () => share.take(party, 1);
    if (hasRoomFor(party) && queue.waitingOf(party) === 0) take();
    else await queue.wait(party, take, { ms, refusal: tooManyStatements });
    try {
      return await work();
    } finally {
      share.take(party, -1);
      while (queue.startNext(hasRoomFor));
    }
  }

  const views = new WeakMap<Party, Database>();
  const viewOf = (party: Party): Database => ({
    ...database,
    query: (statement, values) => within(party, () => database.query(statement, values)),
    transaction: (work) => within(party, () => database.transaction(work)),
  });
  return { queue, databaseOf: (party) => views.get(party) ?? views.set(party, viewOf(party)).get(party) ?? database };
}

/** Not a WireRefusal: it is thrown below the domain, which recognises by it that the account is not at fault. */
function tooManyStatements(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Your organisation has too many requests in flight: they hold all the database connections that it may use. ' +
      'Try again later.',
  );
}
