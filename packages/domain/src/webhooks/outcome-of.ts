import type { PendingMessage } from './read-slice.ts';
import { nextAttempt } from './retry-schedule.ts';
import type { WebhookAnswer } from './send-webhook.ts';
import type { Judgement } from './standing.ts';

/** A message, with what became of it: `at` is when it was begun, if it was. */
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
