import type { MinuteOfWork } from '../bulk/estimate-finish.ts';

/** How many accounts were created some seconds ago. */
export interface CompletedThen {
  seconds: number;
  completed: number;
}

const MINUTE_S = 60;

/**
 * How many accounts were created in each minute (behaviour 14.9): what two samples differ by, spread evenly over the
 * time between them. Samples are ordered, the oldest first. Minutes in which none was are left out.
 */
export function minutesOf(samples: readonly CompletedThen[]): MinuteOfWork[] {
  const minutes = new Map<number, number>();
  for (const [index, { seconds: to, completed }] of samples.entries()) {
    const before = samples[index - 1];
    const created = before === undefined ? 0 : completed - before.completed;
    // An account whose record was removed is no work.
    if (before === undefined || created <= 0) continue;
    const { seconds: from } = before;
    for (let minute = Math.floor(to / MINUTE_S); minute * MINUTE_S < from; minute += 1) {
      const overlap = Math.min(from, (minute + 1) * MINUTE_S) - Math.max(to, minute * MINUTE_S);
      minutes.set(minute, (minutes.get(minute) ?? 0) + (created * overlap) / (from - to));
    }
  }
  return [...minutes].map(([minutes_ago, lines]) => ({ minutes_ago, lines }));
}
