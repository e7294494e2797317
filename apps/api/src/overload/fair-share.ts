import type { Party } from '../request/request-facts.ts';

/**
 * How often what is still free may be had by one: 4 leaves a party that is alone four fifths, two of them four ninths
 * each, and always something for who comes next.
 */
const TIMES_FREE = 4;

/** How far a resource can be overdrawn, since what comes is only known when it is there. */
const MAX_OVERDRAWN = 2;

export interface Situation {
  own: number;
  used: number;
  capacity: number;
  /** How many have something of it. */
  parties: number;
}

/**
 * The rule: a party may take more while it has less than four times of what is free. Where others have overdrawn it still
 * may while it has less than an equal part, so that nobody is refused for what another has.
 */
export function mayTakeMore({ own, used, capacity, parties }: Situation): boolean {
  return own < TIMES_FREE * (capacity - used) || (used < MAX_OVERDRAWN * capacity && own < capacity / (parties + 1));
}

/** What an instance has only so much of, and who has it. */
export interface FairShare {
  readonly used: number;
  readonly parties: number;
  usedBy(party: Party): number;
  /** Whether there is something free for the party: what is counted exactly is never overdrawn. */
  hasRoomFor(party: Party): boolean;
  /** By the whole rule. */
  mayTakeMore(party: Party): boolean;
  /** Takes (or, negative, gives back), whether there is room or not. */
  take(party: Party, amount: number): void;
}

/** Shares `capacity` between parties: whoever has the most is the first who gets no more. */
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
