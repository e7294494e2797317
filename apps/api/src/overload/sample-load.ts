import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { createRequestCost, SAMPLE_MS } from './request-cost.ts';

/** The recent load. A burst or a pause of less than a second is not reported. */
export interface RecentLoad {
  readonly cost: { readonly millisecondsEach: number };
  /** Whether requests have had to wait too long, by their cost. */
  readonly isWaitLong: boolean;
  /** Whether the event loop's delay has been too high. */
  readonly isLoopLate: boolean;
}

export interface LoadSources {
  /** Whether no connection is available. */
  lacksConnections: () => boolean;
  /** The requests finished, and the time spent on refusals, since the start. */
  done: { readonly finished: number; readonly refusingMs: number };
  atWork: () => number;
  limits: { readonly expectedWaitMs: number; readonly eventLoopDelayMs: number };
  /** Called at each sample. */
  onSample: () => void;
}

const RESOLUTION_MS = 10;
/** A condition that lasts this long is not a burst or a pause. */
const STANDING_MS = 1_000;

/** Samples the load of an instance, so that reading it costs nothing. */
export function sampleLoad({ lacksConnections, done, atWork, limits, onSample }: LoadSources): RecentLoad {
  const recent = { cost: createRequestCost(), isWaitLong: false, isLoopLate: false };
  const [waitStands, latenessStands] = [createStanding(), createStanding()];
  const meanDelayMs = sampleDelay();
  const look = () => ({ ...done, at: performance.now(), activeMs: performance.eventLoopUtilization().active });
  let last = look();
  const timer = setInterval(() => {
    const now = look();
    const elapsedMs = now.at - last.at;
    const delayMs = meanDelayMs();
    const loopMs = now.activeMs - last.activeMs - (now.refusingMs - last.refusingMs);
    recent.cost.add({
      elapsedMs,
      // While no connection is available, the scarce resource is not this process's time.
      spentMs: lacksConnections() ? elapsedMs : loopMs,
      finished: now.finished - last.finished,
    });
    last = now;
    // Half of the limit: refusals keep the wait just below the limit.
    recent.isWaitLong = waitStands(atWork() * recent.cost.millisecondsEach >= limits.expectedWaitMs / 2, now.at);
    recent.isLoopLate = latenessStands(delayMs >= limits.eventLoopDelayMs, now.at);
    onSample();
  }, SAMPLE_MS);
  timer.unref();
  return recent;
}

/**
 * The average delay of the event loop's ticks since the last call. The histogram is never reset: that would also forget
 * the last tick, and a turn of the loop longer than a sample would never be counted.
 */
function sampleDelay(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let last = { ticks: 0, sumNs: 0 };
  return () => {
    const ticks = histogram.count;
    const now = { ticks, sumNs: ticks === 0 ? 0 : histogram.mean * ticks };
    const meanNs = ticks === last.ticks ? 0 : (now.sumNs - last.sumNs) / (ticks - last.ticks);
    last = now;
    return Math.max(0, meanNs / 1e6 - RESOLUTION_MS);
  };
}

/** Whether a condition has held, sample after sample, for a second. */
function createStanding(): (isSo: boolean, at: number) => boolean {
  let since = Number.POSITIVE_INFINITY;
  return (isSo, at) => {
    since = isSo ? Math.min(since, at) : Number.POSITIVE_INFINITY;
    return at - since >= STANDING_MS;
  };
}
