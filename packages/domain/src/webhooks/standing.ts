import type { ClaimedEndpoint } from './claim-webhooks.sql.ts';
import { isResting, mostFailures, restAfter } from './retry-schedule.ts';
import type { WebhookAnswer } from './send-webhook.ts';

/** How an endpoint stands while its messages are sent. */
export interface Standing {
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

export function standingOf({ failures, failing_since }: ClaimedEndpoint): Standing {
  const most = mostFailures(failures);
  return { failures, most, failingSince: failing_since, deliveredAt: null, wasTried: false, isGone: false };
}

/** A message that was begun at `at` was answered now. */
export function observe(standing: Standing, { failure, status }: WebhookAnswer, { at, now }: { at: Date; now: Date }) {
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
export function judge(standing: Standing, endpoint: ClaimedEndpoint, now: Date): Judgement {
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
