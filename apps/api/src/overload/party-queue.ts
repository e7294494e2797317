import type { ServerResponse } from 'node:http';
import type { Party } from './party.ts';

/** A place in a queue. `started` also resolves if it was left before its turn. */
export interface Place {
  started: Promise<void>;
  leave(): void;
}

interface Waiter {
  isHeavy: boolean;
  start: () => void;
}

/** Who waits for something that the parties share: each in a queue of its own, and the parties take turns. */
export class PartyQueue {
  /** In the order of their turns: a party that has had one goes to the end. */
  readonly #queues = new Map<Party, Set<Waiter>>();
  waiting = 0;

  get parties(): number {
    return this.#queues.size;
  }

  waitingOf(party: Party): number {
    return this.#queues.get(party)?.size ?? 0;
  }

  /** `onStart` is called when the turn comes. */
  enter(party: Party, onStart: () => void, isHeavy = false): Place {
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const leave = () => {
      this.#leave(party, waiter);
      resolve();
    };
    const waiter: Waiter = {
      isHeavy,
      start: () => {
        onStart();
        leave();
      },
    };
    const queue = this.#queues.get(party) ?? new Set();
    this.#queues.set(party, queue.add(waiter));
    this.waiting += 1;
    return { started, leave };
  }

  /** Enters, and waits so long for its turn; rejects with the refusal if it does not come, or the client leaves first. */
  async wait(party: Party, onStart: () => void, { ms, refusal, client }: Patience): Promise<void> {
    if (client?.destroyed) throw refusal();
    let hasStarted = false;
    const place = this.enter(party, () => {
      hasStarted = true;
      onStart();
    });
    const timer = setTimeout(place.leave, ms);
    client?.once('close', place.leave);
    await place.started;
    clearTimeout(timer);
    client?.off('close', place.leave);
    if (!hasStarted) throw refusal();
  }

  /**
   * Starts the next one that may: of the parties in turn, in order of arrival, where what is light overtakes what is
   * heavy. Returns whether there was one.
   */
  startNext(mayStart: (party: Party, isHeavy: boolean) => boolean): boolean {
    for (const [party, queue] of this.#queues) {
      const mayLight = mayStart(party, false);
      const mayHeavy = mayLight && mayStart(party, true);
      const next = mayLight ? queue.values().find(({ isHeavy }) => mayHeavy || !isHeavy) : undefined;
      if (next === undefined) continue;
      this.#queues.delete(party);
      this.#queues.set(party, queue);
      next.start();
      return true;
    }
    return false;
  }

  #leave(party: Party, waiter: Waiter): void {
    const queue = this.#queues.get(party);
    if (queue?.delete(waiter)) this.waiting -= 1;
    if (queue?.size === 0) this.#queues.delete(party);
  }
}

/** How long to wait, and what for. */
interface Patience {
  ms: number;
  refusal: () => Error;
  /** Who waits for it. */
  client?: ServerResponse;
}
