import type { Party } from '../request/request-facts.ts';

/**
 * How many times the free amount a party may hold: 4 gives a single party four fifths, two parties four ninths each,
 * and always leaves something for the next one.
 */
const TIMES_FREE = 4;

/** How far a resource can be overdrawn, because a size is known only once it has arrived. */
const MAX_OVERDRAWN = 2;

export interface Situation {
  own: number;
  used: number;
  capacity: number;
  /** The number of parties that hold some of it. */
  parties: number;
}

/**
 * The rule: a party may take more while it holds less than four times what is free. If others have overdrawn, it still
 * may while it holds less than an equal part, so that no party is refused because of another.
 */
export function mayTakeMore({ own, used, capacity, parties }: Situation): boolean {
  return own < TIMES_FREE * (capacity - used) || (used < MAX_OVERDRAWN * capacity && own < capacity / (parties + 1));
}

/** A limited resource of an instance, and its holders. */
export interface FairShare {
  readonly used: number;
  readonly parties: number;
  usedBy(party: Party): number;
  /** Whether something is free for the party: a resource that is counted exactly is never overdrawn. */
  hasRoomFor(party: Party): boolean;
  /** Whether the full rule allows more. */
  mayTakeMore(party: Party): boolean;
  /** Takes (or, if negative, returns) an amount, whether or not it is free. */
  take(party: Party, amount: number): void;
}

/** Shares `capacity` between parties: the one that holds most is the first to be refused. */
export function createFairShare(capacity: number): FairShare {
  const amounts = new Map<Party, number>();
  let used = 0;
  const usedBy = (party: Party) => amounts.get(party) ?? 0;
  const free = () => capacity - used;
  return {
    get used() {
      return used;
    },
    get parties() {
      return amounts.size;
    },
    usedBy,
    hasRoomFor: (party) => usedBy(party) < TIMES_FREE * free(),
    mayTakeMore: (party) => mayTakeMore({ own: usedBy(party), used, capacity, parties: amounts.size }),
    take(party, amount) {
      used += amount;
      const next = usedBy(party) + amount;
      next === 0 ? amounts.delete(party) : amounts.set(party, next);
    },
  };
}
