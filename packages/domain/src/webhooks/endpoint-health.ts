import type { ClaimedEndpoint, PendingMessage } from './claim-webhooks.ts';
import type { WebhookAnswer } from './send-webhook.ts';

/** How an endpoint stands while its messages are sent. */
export interface EndpointHealth {
  failures: number;
  /** What is under way together with the tenth failure counts as one with it. */
  most: number;
  failingSince: Date | null;
  deliveredAt: Date | null;
  /** Whether anything was answered in this turn. */
  wasTried: boolean;
  isGone: boolean;
}

/** What is stored of how an endpoint stands; `reason`: it is disabled. */
export interface Judgement {
  failures: number;
  failing_since: Date | null;
  not_before: Date | null;
  last_delivered_at: Date | null;
  reason: 'failing' | 'gone' | null;
  /** It accepts messages again after many failures: nothing waits any longer. */
  is_back: boolean;
}

const GONE = 410;

export function standingOf({ failures, failing_since }: ClaimedEndpoint): EndpointHealth {
  const most = mostFailures(failures);
  return { failures, most, failingSince: failing_since, deliveredAt: null, wasTried: false, isGone: false };
}

/** A message that was begun at `at` was answered now. */
export function observe(
  standing: EndpointHealth,
  { failure, status }: WebhookAnswer,
  { at, now }: { at: Date; now: Date },
) {
  standing.wasTried = true;
  if (failure === null) {
    Object.assign(standing, { failures: 0, failingSince: null, deliveredAt: now });
  } else {
    standing.failures = Math.min(standing.failures + 1, standing.most);
    // From the beginning of the attempt, as the three days of a message count: none is given up before the endpoint is
    // disabled because of it.
    standing.failingSince = earlier(standing.failingSince, at);
    standing.isGone ||= status === GONE;
  }
}

/** A turn in which nothing was sent says nothing new: the endpoint neither rests because of it, nor is it disabled. */
export function judge(standing: EndpointHealth, endpoint: ClaimedEndpoint, now: Date): Judgement {
  const { failures, failingSince, deliveredAt, wasTried, isGone } = standing;
  const isJudged = wasTried && failingSince !== null;
  const rest = isJudged ? restAfter({ failures, since: failingSince }, now) : undefined;
  const isFailing = rest?.isGivenUp === true;
  return {
    failures,
    failing_since: failingSince,
    not_before: rest?.notBefore ?? null,
    last_delivered_at: deliveredAt,
    reason: isGone ? 'gone' : isFailing ? 'failing' : null,
    is_back: isResting(endpoint.failures) && deliveredAt !== null,
  };
}

function earlier(one: Date | null, other: Date): Date {
  return one === null || other < one ? other : one;
}

/** A message, with what happened to it: `at` is when it was begun, if it was. */
export type SentMessage = PendingMessage & { answer?: WebhookAnswer; at?: Date };

/** The row of a message that was sent in a turn after which the endpoint is judged so. */
export function outcomeOf(sent: SentMessage, now: Date, { reason, is_back }: Pick<Judgement, 'reason' | 'is_back'>) {
  const { answer, at, body: _body, key: _key, isNew: _new, ...message } = sent;
  const { attempts: before, since, ...named } = message;
  const attempts = answer === undefined ? before : before + 1;
  const retried_since = since ?? at ?? now;
  const again = nextAttempt({ attempts, since: retried_since }, now);
  // Of an endpoint that is disabled nothing is given up: it is due once the endpoint is enabled again. One that accepts
  // messages again after many failures need not wait for what it has not.
  const isDue = again === undefined ? reason !== null : is_back;
  const next = answer?.failure ? (isDue ? now : again) : undefined;
  const failed = next === undefined ? 'GIVEN_UP' : 'WAITING';
  return {
    ...named,
    state: answer?.failure === null ? 'DELIVERED' : failed,
    attempts,
    retried_since,
    last_attempted_at: at ?? null,
    next_attempt_at: next ?? null,
    ...(answer ?? { failure: null, status: null, duration_ms: null, answer: null }),
  };
}

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

/** How an endpoint that fails continues: from which time, and whether it is disabled. */
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
