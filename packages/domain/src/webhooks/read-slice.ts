import { type Event, type EventType, LIMITS } from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { type EventPosition, type PlacedEvent, readEvent, readEvents } from '../events/read-events.ts';
import { isResting } from './retry-schedule.ts';
import { type ClaimedEndpoint, READ_DUE_MESSAGES } from './webhook-work.sql.ts';

/** A message to send now. */
export interface PendingMessage {
  message_id: string;
  /** Messages with the same key are about the same account: they are sent in their order. */
  key: string;
  event_type: string;
  /** Undefined if its event was removed meanwhile. */
  body: string | undefined;
  /** Only of a test, which is no event. */
  payload: Record<string, unknown> | null;
  /** The place of its event; null for a test. */
  position: EventPosition | null;
  /** Whether it is sent for the first time. */
  isNew: boolean;
  /** How often it was sent before, and since when its three days count; null: from now on. */
  attempts: number;
  since: Date | null;
}

/** What to send next to an endpoint. */
export interface Slice {
  messages: PendingMessage[];
  /** The position of the endpoint once all of them were begun. */
  end: EventPosition;
}

const TOGETHER = 100;
/** An endpoint that has failed again and again is tried with few. */
const OF_RESTING = 1;

/** What is due again of an endpoint, and then the next events of its types. */
export async function readSlice(database: Queryable, endpoint: ClaimedEndpoint, now: Date): Promise<Slice> {
  const limit = isResting(endpoint.failures) ? OF_RESTING : TOGETHER;
  const due = await readDue(database, endpoint, { now, limit });
  const { organisation_id, position: after, event_types, waiting } = endpoint;
  const room = LIMITS.webhook_waiting - (waiting ?? 0);
  if (room <= 0) return { messages: due, end: after };
  const types = event_types.length === 0 ? undefined : (event_types as EventType[]);
  const request = { organisationId: organisation_id, after, limit: Math.min(limit, room), types };
  const { events, position: end } = await readEvents(database, request);
  return { messages: [...due, ...events.map(newMessage)], end };
}

async function readDue(
  database: Queryable,
  { id, organisation_id: organisationId }: ClaimedEndpoint,
  { now, limit }: { now: Date; limit: number },
): Promise<PendingMessage[]> {
  const messages: PendingMessage[] = [];
  for (const { retried_since, ...row } of await database.query(READ_DUE_MESSAGES, { id, now, limit })) {
    const { position, payload } = row;
    const sent = position === null ? payload : await readEvent(database, { organisationId, position });
    const body = sent === undefined ? undefined : JSON.stringify(sent);
    // Its order is lost anyway.
    messages.push({ ...row, key: row.message_id, body, isNew: false, since: retried_since });
  }
  return messages;
}

function newMessage({ position, event }: PlacedEvent): PendingMessage {
  const { id: message_id, type: event_type } = event;
  const body = JSON.stringify(event);
  return {
    message_id,
    key: keyOf(event),
    event_type,
    body,
    payload: null,
    position,
    isNew: true,
    attempts: 0,
    since: null,
  };
}

function keyOf({ id, data }: Event): string {
  return 'external_account_number' in data ? `${data.import_supplier} ${data.external_account_number}` : id;
}
