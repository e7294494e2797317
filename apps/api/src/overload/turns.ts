import type { Party } from '../request/request-facts.ts';

/** A piece of work that has started, or starts when `started` resolves; it must always be ended. */
export interface Turn {
  /** Undefined if it started immediately. Also resolves if the turn was ended before it came. */
  started: Promise<void> | undefined;
  /** No getter: there is a turn for each request (docs/decisions/0014). */
  isWaiting(): boolean;
  end(): void;
}

export interface Turns {
  take(party: Party, isHeavy: boolean): Turn;
  /** Whether a party that is alone waits for itself: the instance then does what it can. */
  readonly areUsedUp: boolean;
  /** Call it periodically: drops parties that have been idle. */
  tidy(): void;
}

/**
 * The maximum number of concurrent pieces of work of one party, alone and in company. Waiting for a turn costs almost
 * nothing, while running work delays all others in each turn of the event loop.
 */
const ALONE: Most = { running: 128, heavy: 8 };
const IN_COMPANY: Most = { running: 8, heavy: 1 };
/** A party with work within this time counts as company. */
const COMPANY_FOR_MS = 1_000;

/** Of one party's pieces of work. */
interface Most {
  running: number;
  heavy: number;
}

interface Waiting {
  isHeavy: boolean;
  start: () => void;
}

interface Lane {
  running: number;
  heavy: number;
  waiting: Set<Waiting>;
  activeAt: number;
}

/** Lets each party work at its own pace: one with much work waits for itself and does not delay others. */
export function createTurns(now: () => number = () => performance.now()): Turns {
  const lanes = new Map<Party, Lane>();
  const most = () => (lanes.size === 1 ? ALONE : IN_COMPANY);

  function laneOf(party: Party): Lane {
    const known = lanes.get(party);
    if (known !== undefined) return known;
    const lane = { running: 0, heavy: 0, waiting: new Set<Waiting>(), activeAt: 0 };
    lanes.set(party, lane);
    return lane;
  }

  return {
    take(party, isHeavy) {
      const lane = laneOf(party);
      lane.activeAt = now();
      return takeTurn(lane, isHeavy, most);
    },
    get areUsedUp() {
      return lanes.size === 1 && lanes.values().some(({ waiting }) => waiting.size > 0);
    },
    tidy() {
      for (const [party, lane] of lanes) {
        const isIdle = lane.running === 0 && lane.waiting.size === 0;
        if (isIdle && now() - lane.activeAt > COMPANY_FOR_MS) lanes.delete(party);
      }
      // A party that is now alone may run more.
      if (lanes.size === 1)
        lanes.forEach((lane) => {
          startWaiting(lane, most());
        });
    },
  };
}

/** `most` is asked when it counts: who is in company now may be alone when this turn ends. */
function takeTurn(lane: Lane, isHeavy: boolean, most: () => Most): Turn {
  let state: 'waiting' | 'running' | 'over' = 'waiting';
  const begin = () => {
    state = 'running';
    count(lane, isHeavy, 1);
  };
  const mayBegin = canStart(lane, isHeavy, most()) && (lane.waiting.size === 0 || !isHeavy);
  const place = mayBegin ? undefined : queueUp(lane, isHeavy, begin);
  if (mayBegin) begin();
  return {
    started: place?.started,
    isWaiting: () => state === 'waiting',
    end() {
      if (state === 'waiting') place?.leave();
      if (state === 'running') count(lane, isHeavy, -1);
      state = 'over';
      startWaiting(lane, most());
    },
  };
}

function canStart({ running, heavy }: Lane, isHeavy: boolean, most: Most): boolean {
  return running < most.running && (!isHeavy || heavy < most.heavy);
}

function count(lane: Lane, isHeavy: boolean, by: 1 | -1): void {
  lane.running += by;
  if (isHeavy) lane.heavy += by;
}

/** Waits in its party's lane, until its turn comes or it leaves. */
function queueUp(lane: Lane, isHeavy: boolean, begin: () => void): { started: Promise<void>; leave: () => void } {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const leave = () => {
    lane.waiting.delete(waiting);
    resolve();
  };
  const start = () => {
    begin();
    leave();
  };
  const waiting: Waiting = { isHeavy, start };
  lane.waiting.add(waiting);
  return { started, leave };
}

/** In order of arrival; light work may overtake heavy work. */
function startWaiting(lane: Lane, most: Most): void {
  for (const waiting of lane.waiting) {
    if (canStart(lane, waiting.isHeavy, most)) waiting.start();
    else if (!waiting.isHeavy) return;
  }
}
