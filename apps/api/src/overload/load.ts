import { performance } from 'node:perf_hooks';

/** The interval of the ticks that measure the event loop. */
export const TICK_MS = 10;
/** Shorter than `STANDING_MS`, so that a single pause never counts. */
const WINDOW_MS = 500;
/** The intended length of a sample; a late one weighs as much as the samples that it replaces. */
export const SAMPLE_MS = 100;
/** The decay of a sample when the next one arrives: about the last half second counts. */
const KEPT = 0.8;
/** The share of a sample from which it counts as spent on requests, not on the service's own housekeeping. */
const BUSY = 0.5;
/** A few requests are not representative: those after a cold start, or one with a long body. */
const TELLING = 10;
/** A condition that lasts this long is not a burst or a pause. */
const STANDING_MS = 1_000;

/** What the load is measured by. */
interface LoadSources {
  /** Whether requests wait for a connection or a turn. */
  isUsedUp: () => boolean;
  /** The requests finished, and the time spent on refusals, since the start. */
  done: () => { finished: number; refusingMs: number };
  atWork: () => number;
  limits: { readonly expectedWaitMs: number; readonly eventLoopDelayMs: number };
  /** Called at each sample, with how long the event loop was busy in it. */
  onSample: (sample: { elapsedMs: number; activeMs: number; isLoopLate: boolean }) => void;
}

/** The recent load of an instance, sampled, so that reading it costs nothing. */
export class Load {
  readonly cost = createRequestCost();
  /** Whether requests have had to wait too long, by their cost. */
  isWaitLong = false;
  /** Whether the event loop's delay has been too high. */
  isLoopLate = false;
  /** Ends the sampling: a process may start one service after the other. */
  readonly stop: () => void;

  constructor({ isUsedUp, done, atWork, limits, onSample }: LoadSources) {
    const [waitStands, latenessStands] = [createStanding(), createStanding()];
    const lateness = createLateness(performance.now());
    const look = () => ({ ...done(), at: performance.now(), activeMs: performance.eventLoopUtilization().active });
    let last = look();
    const sample = () => {
      const now = look();
      const elapsedMs = now.at - last.at;
      const activeMs = now.activeMs - last.activeMs - (now.refusingMs - last.refusingMs);
      // While requests wait for a connection or a turn, the scarce resource is not this process's time.
      const spentMs = isUsedUp() ? elapsedMs : activeMs;
      this.cost.add({ elapsedMs, spentMs, finished: now.finished - last.finished });
      last = now;
      // Half of the limit: refusals keep the wait just below the limit.
      this.isWaitLong = waitStands(atWork() * this.cost.millisecondsEach >= limits.expectedWaitMs / 2, now.at);
      this.isLoopLate = latenessStands(lateness.milliseconds(now.at) >= limits.eventLoopDelayMs, now.at);
      onSample({ elapsedMs, activeMs, isLoopLate: this.isLoopLate });
    };
    const timers = [
      setInterval(() => lateness.tick(performance.now()), TICK_MS).unref(),
      setInterval(sample, SAMPLE_MS).unref(),
    ];
    this.stop = () => timers.forEach(clearInterval);
  }
}

/**
 * Measures the event loop's delay over the last half second as requests meet it. More of them arrive during a long turn
 * than during a short one, so each turn is weighted by its length: the plain mean would let the many short turns of a
 * break hide the long ones. `tick` is to be called every `TICK_MS`.
 */
export function createLateness(startedAt: number) {
  let ticks: { at: number; ms: number }[] = [];
  let lastAt = startedAt;
  const tick = (at: number) => {
    ticks.push({ at, ms: at - lastAt });
    lastAt = at;
  };
  return {
    tick,
    milliseconds(at: number): number {
      // After a long turn, timers fire in any order.
      tick(at);
      ticks = ticks.filter((one) => at - one.at <= WINDOW_MS);
      let [total, squares] = [0, 0];
      for (const { ms } of ticks) {
        total += ms;
        squares += ms * ms;
      }
      return total === 0 ? 0 : Math.max(0, squares / total - TICK_MS);
    },
  };
}

/**
 * The recent cost of one request, in milliseconds of the scarce resource: what samples spent on requests when a resource
 * was fully used, by the requests whose answers were sent. It decays to 0 when idle. Waiting for a vendor or a lock costs
 * nothing, because it uses no resource.
 */
export function createRequestCost() {
  let spentMs = 0;
  let finished = 0;
  return {
    get millisecondsEach(): number {
      return spentMs / Math.max(finished, TELLING);
    },
    add(sample: { elapsedMs: number; spentMs: number; finished: number }): void {
      const kept = KEPT ** (sample.elapsedMs / SAMPLE_MS);
      const tells = sample.spentMs >= sample.elapsedMs * BUSY && sample.finished > 0;
      spentMs = spentMs * kept + (tells ? sample.spentMs : 0);
      finished = finished * kept + sample.finished;
    },
  };
}

/** Whether a condition has held, sample after sample, for a second. */
export function createStanding(): (isSo: boolean, at: number) => boolean {
  let since = Number.POSITIVE_INFINITY;
  return (isSo, at) => {
    since = isSo ? Math.min(since, at) : Number.POSITIVE_INFINITY;
    return at - since >= STANDING_MS;
  };
}
