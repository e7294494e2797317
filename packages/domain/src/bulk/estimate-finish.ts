/** How many lines were done in one minute; 0 is the one that ends now. Minutes in which nothing was done are left out. */
export interface MinuteOfWork {
  minutes_ago: number;
  lines: number;
}

export interface WorkSoFar {
  now: Date;
  /** When the work began, or went on after a pause. */
  since: Date;
  minutes: MinuteOfWork[];
  /** Lines that are still to be done. */
  waiting: number;
}

export interface EstimatedFinish {
  finishesAt: Date;
  from: Date;
  to: Date;
}

const MINUTE_S = 60;
/** Earlier, a rate says nothing. */
const MIN_ELAPSED_S = 20;
/** In a longer time a rate counts half. */
const HALF_LIFE_MINUTES = 2;

/** The lines a second of the last minute, or of as much of it as has been worked in (behaviour 21.5). */
export function presentRate({ now, since, minutes }: Omit<WorkSoFar, 'waiting'>): number {
  const elapsedS = elapsedOf({ now, since });
  const done = minutes.find(({ minutes_ago }) => minutes_ago === 0)?.lines ?? 0;
  return elapsedS < 1 ? 0 : done / Math.min(elapsedS, MINUTE_S);
}

/**
 * When work finishes at its present rate, smoothed with a half-life of two minutes, and at the 90th and 10th percentile
 * of the rates of its minutes (behaviour 21.5). Undefined in the first 20 seconds, and while nothing is done.
 */
export function estimateFinish({ now, since, minutes, waiting }: WorkSoFar): EstimatedFinish | undefined {
  const elapsedS = elapsedOf({ now, since });
  if (elapsedS < MIN_ELAPSED_S) return undefined;
  const rates = minutes.flatMap(({ minutes_ago, lines }) => {
    const seconds = Math.min(MINUTE_S, elapsedS - minutes_ago * MINUTE_S);
    return seconds < MIN_ELAPSED_S ? [] : [{ rate: lines / seconds, weight: 2 ** (-minutes_ago / HALF_LIFE_MINUTES) }];
  });
  const weights = sum(rates.map(({ weight }) => weight));
  const rate = sum(rates.map(({ rate, weight }) => rate * weight)) / weights;
  if (!(rate > 0)) return undefined;
  const sorted = rates.map(({ rate }) => rate).sort((one, other) => one - other);
  const [slow, fast] = [Math.min(percentile(sorted, 0.1), rate), Math.max(percentile(sorted, 0.9), rate)];
  const at = (perSecond: number) => new Date(now.getTime() + (waiting / perSecond) * 1_000);
  return { finishesAt: at(rate), from: at(fast), to: at(slow) };
}

function elapsedOf({ now, since }: { now: Date; since: Date }): number {
  return (now.getTime() - since.getTime()) / 1_000;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Between the two nearest values, as PostgreSQL's percentile_cont. */
function percentile(sorted: number[], part: number): number {
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}
