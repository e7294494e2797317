import type { Party } from '../request/request-facts.ts';

/** A piece of work that began at once, or begins when `started` resolves; it always has to be ended. */
export interface Turn {
  /** Undefined where it began at once. Resolves too when the turn was ended before it came. */
  started: Promise<void> | undefined;
  readonly isWaiting: boolean;
  end(): void;
}

export interface Turns {
  take(party: Party, isHeavy: boolean): Turn;
  /** To be called now and then: forgets who has done nothing lately. */
  tidy(): void;
}

/**
 * Most pieces of work of one party that run at once, while it is alone and in company. What waits for its turn costs
 * next to nothing, and of what runs everybody has to wait for a little in each turn of the event loop.
 */
const ALONE: Most = { running: 128, heavy: 8 };
const IN_COMPANY: Most = { running: 8, heavy: 1 };
/** Who has had work within this time is company. */
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

/** Lets each party work at its own pace: one that brings much waits for itself, not the others for it. */
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
    tidy() {
      for (const [party, lane] of lanes) {
        const isIdle = lane.running === 0 && lane.waiting.size === 0;
        if (isIdle && now() - lane.activeAt > COMPANY_FOR_MS) lanes.delete(party);
      }
      // Who is alone now may do more.
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
    get isWaiting() {
      return state === 'waiting';
    },
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

/** In the order they came; a light one may overtake heavy ones. */
function startWaiting(lane: Lane, most: Most): void {
  for (const waiting of lane.waiting) {
    if (canStart(lane, waiting.isHeavy, most)) waiting.start();
    else if (!waiting.isHeavy) return;
  }
}
