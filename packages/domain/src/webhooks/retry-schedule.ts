/** After how many seconds a message that failed is sent again: the last one is for all further attempts. */
const RETRY_AFTER_S = [5, 30, 120, 600, 1_800, 3_600];
const RETRIED_FOR_MS = 3 * 24 * 60 * 60 * 1_000;
/** Failures in a row from which an endpoint rests between attempts. */
const RESTS_FROM = 10;
/** A wait is up to a fifth shorter or longer, so that many do not end together. */
const JITTER = 0.2;

/**
 * When a message is sent again that has failed `attempts` times (behaviour 28.4); undefined if it is given up: it has
 * been sent for three days since `since`.
 */
export function nextAttempt({ attempts, since }: { attempts: number; since: Date }, now: Date): Date | undefined {
  const until = since.getTime() + RETRIED_FOR_MS;
  if (now.getTime() >= until) return undefined;
  return new Date(Math.min(now.getTime() + waitAfter(attempts), until));
}

/** How an endpoint that fails goes on: from which time, and whether it is disabled. */
export interface Rest {
  notBefore: Date | null;
  isGivenUp: boolean;
}

/** After ten failures in a row an endpoint rests between attempts, and after three days without success it is disabled. */
export function restAfter({ failures, since }: { failures: number; since: Date }, now: Date): Rest {
  return {
    notBefore: isResting(failures) ? new Date(now.getTime() + waitAfter(failures - RESTS_FROM + 1)) : null,
    isGivenUp: now.getTime() >= since.getTime() + RETRIED_FOR_MS,
  };
}

/** Whether it is tried with few messages only. */
export function isResting(failures: number): boolean {
  return failures >= RESTS_FROM;
}

/** How many failures there can be after a turn that began with some: each turn of a resting endpoint adds one. */
export function mostFailures(before: number): number {
  return isResting(before) ? before + 1 : RESTS_FROM;
}

function waitAfter(attempts: number): number {
  const seconds = RETRY_AFTER_S[Math.min(Math.max(attempts, 1), RETRY_AFTER_S.length) - 1] ?? 0;
  return seconds * 1_000 * (1 - JITTER + 2 * JITTER * Math.random());
}
