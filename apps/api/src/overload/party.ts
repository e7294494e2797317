/** What a party holds of an instance. */
export type Held = 'atWork' | 'weight' | 'connections' | 'sockets' | 'heldBytes' | 'heldUnknownBytes' | 'unreadBytes';

/**
 * Who shares an instance: an organisation, the service team, or the address of a caller that is not authenticated yet;
 * and what it has of the instance just now.
 */
export class Party implements Record<Held, number> {
  readonly name: string;
  /** Requests whose body has arrived and whose answer is not sent. */
  atWork = 0;
  /** The same by what they cost the event loop: a large body counts as many small ones. */
  weight = 0;
  connections = 0;
  sockets = 0;
  heldBytes = 0;
  heldUnknownBytes = 0;
  unreadBytes = 0;
  /** Of its requests at work, those whose turn has come; of these, the ones with a large body. */
  running = { all: 0, heavy: 0 };
  /** How long its bodies have kept the event loop lately. */
  loopMs = 0;
  metMsAgo = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/** How many times the free amount a party may hold: 4 gives one party four fifths, and two four ninths each. */
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
 * The rule: a party may take more while it holds less than four times what is free, so that something is always left for
 * the next one. If others have overdrawn, it still may while it holds less than an equal part, so that no party is
 * refused because of another.
 */
export function mayTakeMore({ own, used, capacity, parties }: Situation): boolean {
  return own < TIMES_FREE * (capacity - used) || (used < MAX_OVERDRAWN * capacity && own < capacity / (parties + 1));
}

/** A limited resource of an instance, shared between parties: the one that holds most is the first to be refused. */
export class Share {
  readonly held: Held;
  readonly capacity: number;
  used = 0;
  /** The number of parties that hold some of it. */
  parties = 0;

  constructor(held: Held, capacity: number) {
    this.held = held;
    this.capacity = capacity;
  }

  /** Whether something is free for the party: a resource that is counted exactly is never overdrawn. */
  hasRoomFor(party: Party): boolean {
    return party[this.held] < TIMES_FREE * (this.capacity - this.used);
  }

  /** Whether the full rule allows more. */
  mayTakeMore(party: Party, capacity = this.capacity): boolean {
    return mayTakeMore({ own: party[this.held], used: this.used, capacity, parties: this.parties });
  }

  /** Takes (or, if negative, returns) an amount, whether or not it is free. */
  take(party: Party, amount: number): void {
    const before = party[this.held];
    const next = before + amount;
    party[this.held] = next;
    this.used += amount;
    this.parties += Number(next !== 0) - Number(before !== 0);
  }
}

/** The parties by their names; one that nobody refers to any more is forgotten. */
export class Parties {
  readonly #known = new Map<string, WeakRef<Party>>();
  readonly #gone = new FinalizationRegistry<string>((name) => {
    if (this.#known.get(name)?.deref() === undefined) this.#known.delete(name);
  });

  named(name: string): Party {
    const known = this.#known.get(name)?.deref();
    if (known !== undefined) return known;
    const party = new Party(name);
    this.#known.set(name, new WeakRef(party));
    this.#gone.register(party, name);
    return party;
  }
}

/** A request's work: it waits for its turn, runs, and must always be ended. */
export interface Work {
  /** Undefined if it started immediately. Also resolves if the work was ended before its turn. */
  started: Promise<void> | undefined;
  isWaiting: boolean;
  end(): void;
}
