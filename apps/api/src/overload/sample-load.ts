import { performance } from 'node:perf_hooks';
import { createLateness, TICK_MS } from './lateness.ts';
import { createRequestCost, SAMPLE_MS } from './request-cost.ts';
import { createStanding } from './standing.ts';

/** The recent load. A burst or a pause of less than a second is not reported. */
export interface RecentLoad {
  readonly cost: { readonly millisecondsEach: number };
  /** Whether requests have had to wait too long, by their cost. */
  readonly isWaitLong: boolean;
  /** Whether the event loop's delay has been too high. */
  readonly isLoopLate: boolean;
  /** Ends the sampling: a process may start one service after the other. */
  stop(): void;
}

export interface LoadSources {
  /** Whether requests wait for a connection or a turn. */
  isUsedUp: () => boolean;
  /** The requests finished, and the time spent on refusals, since the start. */
  done: { readonly finished: number; readonly refusingMs: number };
  atWork: () => number;
  limits: { readonly expectedWaitMs: number; readonly eventLoopDelayMs: number };
  /** Called at each sample, with how long the event loop was busy in it. */
  onSample: (sample: { elapsedMs: number; activeMs: number; isLoopLate: boolean }) => void;
}

/** Samples the load of an instance, so that reading it costs nothing. */
export function sampleLoad({ isUsedUp, done, atWork, limits, onSample }: LoadSources): RecentLoad {
  const stop = () => timers.forEach(clearInterval);
  const recent = { cost: createRequestCost(), isWaitLong: false, isLoopLate: false, stop };
  const [waitStands, latenessStands] = [createStanding(), createStanding()];
  const lateness = createLateness(performance.now());
  const look = () => ({ ...done, at: performance.now(), activeMs: performance.eventLoopUtilization().active });
  let last = look();
  const sample = () => {
    const now = look();
    const elapsedMs = now.at - last.at;
    const loopMs = now.activeMs - last.activeMs - (now.refusingMs - last.refusingMs);
    recent.cost.add({
      elapsedMs,
      // While requests wait for a connection or a turn, the scarce resource is not this process's time.
      spentMs: isUsedUp() ? elapsedMs : loopMs,
      finished: now.finished - last.finished,
    });
    last = now;
    // Half of the limit: refusals keep the wait just below the limit.
    recent.isWaitLong = waitStands(atWork() * recent.cost.millisecondsEach >= limits.expectedWaitMs / 2, now.at);
    recent.isLoopLate = latenessStands(lateness.milliseconds(now.at) >= limits.eventLoopDelayMs, now.at);
    onSample({ elapsedMs, activeMs: loopMs, isLoopLate: recent.isLoopLate });
  };
  const timers = [
    setInterval(() => lateness.tick(performance.now()), TICK_MS).unref(),
    setInterval(sample, SAMPLE_MS).unref(),
  ];
  return recent;
}
