import type { ServerResponse } from 'node:http';
import type { Party } from '../request/request-facts.ts';

/** Who waits for something that the parties share, such as a database connection: each in a queue of its own. */
export interface PartyQueues {
  readonly waiting: number;
  readonly waitingParties: number;
  waitingOf(party: Party): number;
  /**
   * Waits for its turn, which `take` is called at; rejects with the refusal when that does not come in time, and as soon as
   * the client of this response has gone away.
   */
  wait(party: Party, take: () => void, response?: ServerResponse): Promise<void>;
  /** Starts whom there is room for; the parties take turns. */
  start(hasRoomFor: (party: Party) => boolean): void;
}

interface Waiter {
  start: () => void;
}

export function createPartyQueues({ waitMs, refusal }: { waitMs: number; refusal: () => Error }): PartyQueues {
  // In order of their turns: a party that has had one goes to the end.
  const queues = new Map<Party, Set<Waiter>>();
  let waiting = 0;

  function enter(party: Party, waiter: Waiter): void {
    const queue = queues.get(party) ?? new Set();
    queues.set(party, queue.add(waiter));
    waiting += 1;
  }

  function leave(party: Party, waiter: Waiter): void {
    const queue = queues.get(party);
    if (queue?.delete(waiter)) waiting -= 1;
    if (queue?.size === 0) queues.delete(party);
  }

  function takeNext(hasRoomFor: (party: Party) => boolean): Waiter | undefined {
    for (const [party, queue] of queues) {
      const [waiter] = queue;
      if (waiter === undefined || !hasRoomFor(party)) continue;
      queues.delete(party);
      queues.set(party, queue);
      leave(party, waiter);
      return waiter;
    }
    return undefined;
  }

  return {
    get waiting() {
      return waiting;
    },
    get waitingParties() {
      return queues.size;
    },
    waitingOf: (party) => queues.get(party)?.size ?? 0,
    wait(party, take, response) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const giveUp = () => {
        leave(party, waiter);
        reject(refusal());
      };
      const timer = setTimeout(giveUp, waitMs);
      response?.once('close', giveUp);
      const waiter = { start: () => resolve(take()) };
      enter(party, waiter);
      return promise.finally(() => {
        clearTimeout(timer);
        response?.off('close', giveUp);
      });
    },
    start(hasRoomFor) {
      for (let next = takeNext(hasRoomFor); next !== undefined; next = takeNext(hasRoomFor)) next.start();
    },
  };
}
