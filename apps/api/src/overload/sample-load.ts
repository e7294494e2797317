import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { createRequestCost, SAMPLE_MS } from './request-cost.ts';

/** What the last moments were like. What is over within a second, a burst or a pause, is not told. */
export interface RecentLoad {
  readonly cost: { readonly millisecondsEach: number };
  /** Whether requests have had to wait for too long, by what they cost. */
  readonly isWaitLong: boolean;
  /** Whether the event loop has been too late. */
  readonly isLoopLate: boolean;
}

export interface LoadSources {
  /** Whether nobody gets a connection. */
  lacksConnections: () => boolean;
  /** All that was finished, and how long refusals took, since the start. */
  done: { readonly finished: number; readonly refusingMs: number };
  atWork: () => number;
  limits: { readonly expectedWaitMs: number; readonly eventLoopDelayMs: number };
  /** Called at each sample. */
  onSample: () => void;
}

const RESOLUTION_MS = 10;
/** What is so for that long is no burst and no pause. */
const STANDING_MS = 1_000;

/** Samples what an instance does, so that to ask costs nothing. */
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
      // While nobody gets a connection, what there is too little of is not this process's time.
      spentMs: lacksConnections() ? elapsedMs : loopMs,
      finished: now.finished - last.finished,
    });
    last = now;
    // Half of it: refusing keeps the wait just below the limit.
    recent.isWaitLong = waitStands(atWork() * recent.cost.millisecondsEach >= limits.expectedWaitMs / 2, now.at);
    recent.isLoopLate = latenessStands(delayMs >= limits.eventLoopDelayMs, now.at);
    onSample();
  }, SAMPLE_MS);
  timer.unref();
  return recent;
}

/**
 * How late the event loop's ticks have been since the last call, on average. The histogram is never reset: it would forget
 * the last tick with the rest, and a turn of the loop that is longer than a sample would never be counted.
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

/** Tells whether something has been so, sample after sample, for a second. */
function createStanding(): (isSo: boolean, at: number) => boolean {
  let since = Number.POSITIVE_INFINITY;
  return (isSo, at) => {
    since = isSo ? Math.min(since, at) : Number.POSITIVE_INFINITY;
    return at - since >= STANDING_MS;
  };
}
