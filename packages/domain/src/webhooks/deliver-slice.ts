import type { Database } from '@causeway/db';
import { Webhook } from 'standardwebhooks';
import type { EventPosition } from '../events/read-events.ts';
import { type PendingMessage, readSlice } from './read-slice.ts';
import type { NameResolver } from './resolve-name.ts';
import { isResting, mostFailures, nextAttempt, restAfter } from './retry-schedule.ts';
import { sendInOrder } from './send-in-order.ts';
import { openWebhookSender, type WebhookAnswer, type WebhookTimeouts } from './send-webhook.ts';
import type { WebhookSettings } from './webhook-context.ts';
import {
  type ClaimedEndpoint,
  DISABLE_WEBHOOK_ENDPOINT,
  HURRY_WAITING,
  RECORD_DELIVERIES,
} from './webhook-work.sql.ts';

/** What lanes need for webhooks. */
export interface WebhookDependencies {
  database: Database;
  clock: () => Date;
  webhooks: WebhookSettings;
  timeouts?: WebhookTimeouts;
  resolve?: NameResolver;
}

/** Who is told of a delivery. */
export interface SliceObserver {
  /** Whether further messages may be begun. */
  mayBegin(): boolean;
  countMessage(outcome: 'accepted' | 'failed', seconds: number): void;
}

/** What came of a slice: why the endpoint was disabled, if it was. */
export interface SliceResult {
  messages: number;
  disabled?: 'failing' | 'gone' | 'secret_unreadable';
}

/** How many messages of one endpoint are under way at the same time, each of another account. */
const TOGETHER = 8;
/** Nothing is begun later than this: other endpoints are next. */
const SLICE_MS = 1_000;
const GONE = 410;
const UNSETTLED_MS = 200;

/** How an endpoint stands while its messages are sent. */
interface Standing {
  failures: number;
  /** What is under way together with the tenth failure counts as one with it. */
  most: number;
  failingSince: Date | null;
  deliveredAt: Date | null;
  isGone: boolean;
}

type Sent = PendingMessage & { answer?: WebhookAnswer; at?: Date };

/**
 * Sends an endpoint what is next (behaviour 28.2): messages that are due again, and new ones, in the order of the
 * events. What became of them is recorded afterwards, and only if the claim is still the last one: whoever dies before
 * has sent messages that are sent again, with the same ids.
 */
export async function deliverSlice(
  dependencies: WebhookDependencies,
  endpoint: ClaimedEndpoint,
  observer: SliceObserver,
): Promise<SliceResult> {
  const sign = signerOf(dependencies.webhooks, endpoint);
  if (sign === undefined) return { messages: 0, ...(await disable(dependencies, endpoint, 'secret_unreadable')) };
  const { messages, end } = await readSlice(dependencies.database, endpoint, dependencies.clock());
  const standing: Standing = {
    failures: endpoint.failures,
    most: mostFailures(endpoint.failures),
    failingSince: endpoint.failing_since,
    deliveredAt: null,
    isGone: false,
  };
  const sent = await sendAll(dependencies, { endpoint, messages, standing, sign, observer });
  const position = sent.length === messages.length ? end : positionAfter(endpoint, sent);
  const now = dependencies.clock();
  const rest =
    standing.failingSince === null ? undefined : restAfter({ ...standing, since: standing.failingSince }, now);
  const [recorded] = await dependencies.database.query(RECORD_DELIVERIES, {
    ...{ id: endpoint.id, lease: endpoint.lease, position },
    failures: standing.failures,
    failing_since: standing.failingSince,
    not_before: rest?.notBefore ?? (sent.length === 0 && position === endpoint.position ? soon(now) : null),
    last_delivered_at: standing.deliveredAt,
    outcomes: JSON.stringify(sent.map((message) => outcomeOf(message, now, rest?.isGivenUp))),
  });
  if (recorded === undefined) return { messages: sent.length };
  if (isResting(endpoint.failures) && standing.deliveredAt !== null) {
    await dependencies.database.query(HURRY_WAITING, { id: endpoint.id, now });
  }
  const reason = standing.isGone ? 'gone' : rest?.isGivenUp ? 'failing' : undefined;
  const disabled = reason === undefined ? {} : await disable(dependencies, endpoint, reason);
  return { messages: sent.length, ...disabled };
}

/** The headers of a message; undefined if the secret cannot be read any more. */
function signerOf({ secrets }: WebhookSettings, { secret, previous_secret }: ClaimedEndpoint) {
  const current = secret === null ? undefined : secrets.open(secret);
  if (current === undefined) return undefined;
  const previous = previous_secret === null ? undefined : secrets.open(previous_secret);
  const signers = [current, ...(previous === undefined ? [] : [previous])].map(({ text }) => new Webhook(text));
  return (id: string, at: Date, body: string): Record<string, string> => ({
    'content-type': 'application/json',
    'user-agent': 'Causeway-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signers.map((signer) => signer.sign(id, at, body)).join(' '),
  });
}

interface Sending {
  endpoint: ClaimedEndpoint;
  messages: readonly Sent[];
  standing: Standing;
  sign: NonNullable<ReturnType<typeof signerOf>>;
  observer: SliceObserver;
}

async function sendAll(
  { webhooks, clock, timeouts, resolve }: WebhookDependencies,
  { endpoint, messages, standing, sign, observer }: Sending,
): Promise<Sent[]> {
  if (messages.length === 0) return [];
  const { addresses } = webhooks;
  const sender = await openWebhookSender(endpoint.url, { addresses, timeouts, resolve });
  const until = performance.now() + SLICE_MS;
  const wasResting = isResting(endpoint.failures);
  try {
    return await sendInOrder(messages, {
      together: wasResting ? 1 : TOGETHER,
      mayBegin: () => performance.now() < until && observer.mayBegin() && (wasResting || !isResting(standing.failures)),
      async send(message) {
        message.at = clock();
        // Its event was removed, as old ones are: there is nothing to send.
        if (message.body === undefined) return;
        const headers = sign(message.message_id, message.at, message.body);
        message.answer = await sender.send({ body: message.body, headers });
        observe(standing, message.answer, clock());
        const { failure, duration_ms } = message.answer;
        observer.countMessage(failure === null ? 'accepted' : 'failed', duration_ms / 1_000);
      },
    });
  } finally {
    sender.close();
  }
}

function observe(standing: Standing, { failure, status }: WebhookAnswer, now: Date): void {
  if (failure === null) {
    Object.assign(standing, { failures: 0, failingSince: null, deliveredAt: now });
  } else {
    standing.failures = Math.min(standing.failures + 1, standing.most);
    standing.failingSince ??= now;
    standing.isGone ||= status === GONE;
  }
}

/** The place of the last new event that was begun. */
function positionAfter({ position }: ClaimedEndpoint, sent: readonly Sent[]): EventPosition {
  return sent.findLast(({ isNew }) => isNew)?.position ?? position;
}

/** There are events that cannot be read yet: a transaction that began before them has not ended. */
function soon(now: Date): Date {
  return new Date(now.getTime() + UNSETTLED_MS);
}

/** The row of a message that was sent. */
function outcomeOf({ answer, at, body: _body, key: _key, isNew: _new, ...message }: Sent, now: Date, isEnding = false) {
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

async function disable(
  { database, clock }: WebhookDependencies,
  { id, lease }: ClaimedEndpoint,
  reason: NonNullable<SliceResult['disabled']>,
): Promise<Pick<SliceResult, 'disabled'>> {
  const [disabled] = await database.query(DISABLE_WEBHOOK_ENDPOINT, { id, lease, reason, now: clock() });
  return disabled === undefined ? {} : { disabled: reason };
}
