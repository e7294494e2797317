import type { Database } from '@causeway/db';
import { Webhook } from 'standardwebhooks';
import type { EventPosition } from '../events/read-events.ts';
import type { NameResolver } from './address-rules.ts';
import type { ClaimedEndpoint } from './claim-webhooks.ts';
import {
  type EndpointHealth,
  isResting,
  type Judgement,
  judge,
  observe,
  outcomeOf,
  type SentMessage,
  standingOf,
} from './endpoint-health.ts';
import type { WebhookSettings } from './find-webhook-endpoint.ts';
import { readSlice } from './read-slice.ts';
import { RECORD_SLICE } from './record-slice.sql.ts';
import { sendInOrder } from './send-in-order.ts';
import { openWebhookSender, type WebhookTimeouts } from './send-webhook.ts';

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
  /** With the secret of this process; others may have the right one. */
  isUnreadable?: boolean;
}

/** How many messages of one endpoint are under way at the same time, each of another account. */
const TOGETHER = 8;
/** Nothing is begun later than this: other endpoints are next. */
const SLICE_MS = 1_000;
const UNSETTLED_MS = 200;
/** So long all instances may have the wrong secret before suppliers are asked to rotate theirs. */
const UNREADABLE_FOR_MS = 60 * 60 * 1_000;

/**
 * Sends an endpoint what is next (behaviour 28.2): messages that are due again, and new ones, in the order of the
 * events. What happened to them is recorded afterwards, and only if the claim is still the last one: anyone who dies before
 * has sent messages that are sent again, with the same ids.
 */
export async function deliverSlice(
  dependencies: WebhookDependencies,
  endpoint: ClaimedEndpoint,
  observer: SliceObserver,
): Promise<SliceResult> {
  const { database, clock, webhooks } = dependencies;
  const standing = standingOf(endpoint);
  const sign = signerOf(webhooks, endpoint);
  if (sign === undefined) return leaveUnreadable(dependencies, endpoint, standing);
  const { messages, end } = await readSlice(database, endpoint, clock());
  const sent = await sendAll(dependencies, { endpoint, messages, standing, sign, observer });
  const position = sent.length === messages.length ? end : positionAfter(endpoint, messages);
  const now = clock();
  const judged = judge(standing, endpoint, now);
  const hasNothing = sent.length === 0 && position === endpoint.position;
  const disabled = await record(dependencies, endpoint, {
    ...judged,
    ...{ now, position, secret_unreadable_since: null },
    not_before: judged.not_before ?? (hasNothing ? soon(now) : null),
    outcomes: JSON.stringify(sent.map((message) => outcomeOf(message, now, judged))),
  });
  return { messages: sent.length, ...disabled };
}

/** Others continue with an endpoint that only this process cannot send to; it is disabled if nobody could for an hour. */
async function leaveUnreadable(
  dependencies: WebhookDependencies,
  endpoint: ClaimedEndpoint,
  standing: EndpointHealth,
): Promise<SliceResult> {
  const now = dependencies.clock();
  const since = endpoint.secret_unreadable_since ?? now;
  const disabled = await record(dependencies, endpoint, {
    ...judge(standing, endpoint, now),
    ...{ now, position: endpoint.position, secret_unreadable_since: since, not_before: null, outcomes: '[]' },
    reason: now.getTime() - since.getTime() >= UNREADABLE_FOR_MS ? 'secret_unreadable' : null,
  });
  return { messages: 0, isUnreadable: true, ...disabled };
}

interface SliceRecord extends Omit<Judgement, 'reason'> {
  reason: NonNullable<SliceResult['disabled']> | null;
  now: Date;
  position: EventPosition;
  secret_unreadable_since: Date | null;
  outcomes: string;
}

async function record(
  { database }: WebhookDependencies,
  { id, lease, revision }: ClaimedEndpoint,
  slice: SliceRecord,
): Promise<Pick<SliceResult, 'disabled'>> {
  const [recorded] = await database.query(RECORD_SLICE, { ...slice, id, lease, revision });
  return recorded?.is_disabled && slice.reason ? { disabled: slice.reason } : {};
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
  messages: readonly SentMessage[];
  standing: EndpointHealth;
  sign: NonNullable<ReturnType<typeof signerOf>>;
  observer: SliceObserver;
}

async function sendAll(
  { webhooks, clock, timeouts, resolve }: WebhookDependencies,
  { endpoint, messages, standing, sign, observer }: Sending,
): Promise<SentMessage[]> {
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
        const at = clock();
        message.at = at;
        // Its event was removed, as old ones are: there is nothing to send.
        if (message.body === undefined) return;
        const headers = sign(message.message_id, at, message.body);
        message.answer = await sender.send({ body: message.body, headers });
        observe(standing, message.answer, { at, now: clock() });
        const { failure, duration_ms } = message.answer;
        observer.countMessage(failure === null ? 'accepted' : 'failed', duration_ms / 1_000);
      },
    });
  } finally {
    sender.close();
  }
}

/** The place of the last new event in front of the first one that was not begun: what was begun behind it has a row. */
function positionAfter({ position }: ClaimedEndpoint, messages: readonly SentMessage[]): EventPosition {
  const first = messages.findIndex(({ isNew, at }) => isNew && at === undefined);
  return messages.slice(0, first).findLast(({ isNew }) => isNew)?.position ?? position;
}

/** There are events that cannot be read yet: a transaction that began before them has not ended. */
function soon(now: Date): Date {
  return new Date(now.getTime() + UNSETTLED_MS);
}
