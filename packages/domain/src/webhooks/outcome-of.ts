import type { PendingMessage } from './read-slice.ts';
import { nextAttempt } from './retry-schedule.ts';
import type { WebhookAnswer } from './send-webhook.ts';

/** A message, with what became of it: `at` is when it was begun, if it was. */
export type SentMessage = PendingMessage & { answer?: WebhookAnswer; at?: Date };

/** The row of a message that was sent. */
export function outcomeOf(sent: SentMessage, now: Date, isEnding: boolean) {
  const { answer, at, body: _body, key: _key, isNew: _new, ...message } = sent;
  const { attempts: before, since, ...named } = message;
  const attempts = answer === undefined ? before : before + 1;
  const retried_since = since ?? at ?? now;
  // Of an endpoint that is disabled nothing is given up: it is due once the endpoint is enabled again.
  const again = nextAttempt({ attempts, since: retried_since }, now) ?? (isEnding ? now : undefined);
  const next = answer?.failure ? again : undefined;
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
