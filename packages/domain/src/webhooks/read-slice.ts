import { type Event, type EventType, LIMITS } from '@causeway/contracts';
import { narrow, type Queryable, sql } from '@causeway/db';
import {
  EVENT_COLUMNS,
  type EventPosition,
  type EventSlice,
  eventOf,
  hasEvent,
  type PlacedEvent,
  readEvents,
} from '../events/read-events.ts';
import type { ClaimedEndpoint, PendingMessage } from './claim-webhooks.ts';
import { isResting } from './endpoint-health.ts';

/** What to send next to an endpoint. */
export interface Slice {
  messages: PendingMessage[];
  /** The position of the endpoint once all of them were begun. */
  end: EventPosition;
}

const TOGETHER = 100;
/** How often events are read in one turn of which the endpoint wants none: in less than a second. */
const READS = 20;
/** An endpoint that has failed again and again is tried with few. */
const OF_RESTING = 1;

/** What is due again of an endpoint, and then the next events of its types. */
export async function readSlice(database: Queryable, endpoint: ClaimedEndpoint, now: Date): Promise<Slice> {
  const limit = isResting(endpoint.failures) ? OF_RESTING : TOGETHER;
  const due = await readDue(database, endpoint, { now, limit });
  const room = LIMITS.webhook_waiting - (endpoint.waiting ?? 0);
  if (room <= 0) return { messages: due, end: endpoint.position };
  const { events, position: end } = await readWanted(database, endpoint, Math.min(limit, room));
  const begun = await findBegun(database, endpoint, events);
  const fresh = events.filter(({ event }) => !begun.has(event.id));
  return { messages: [...due, ...fresh.map(newMessage)], end };
}

/** The next events that the endpoint wants, past others: in one turn it passes many. */
async function readWanted(database: Queryable, endpoint: ClaimedEndpoint, limit: number): Promise<EventSlice> {
  const { organisation_id: organisationId, event_types, import_suppliers } = endpoint;
  const wanted = {
    types: event_types.length === 0 ? undefined : (event_types as EventType[]),
    importSuppliers: import_suppliers.length === 0 ? undefined : import_suppliers,
  };
  for (let after = endpoint.position, reads = 1; ; reads += 1) {
    const slice = await readEvents(database, { organisationId, after, limit, ...wanted });
    if (slice.events.length > 0 || !slice.hasMore || reads === READS) return slice;
    after = slice.position;
  }
}

async function readDue(
  database: Queryable,
  { id, organisation_id }: ClaimedEndpoint,
  { now, limit }: { now: Date; limit: number },
): Promise<PendingMessage[]> {
  const rows = await database.query(READ_DUE_MESSAGES, { id, organisation_id, now, limit });
  return rows.map(({ message_id, event_type, attempts, retried_since, payload, position, ...event }) => {
    const sent = position === null ? payload : hasEvent(event) ? eventOf(event) : undefined;
    return {
      ...{ message_id, event_type, attempts, payload, position },
      // Its order is lost anyway.
      key: message_id,
      body: sent === undefined ? undefined : JSON.stringify(sent),
      isNew: false,
      since: retried_since,
    };
  });
}

async function findBegun(
  database: Queryable,
  { id }: ClaimedEndpoint,
  events: readonly PlacedEvent[],
): Promise<ReadonlySet<string | null>> {
  if (events.length === 0) return new Set();
  const rows = await database.query(FIND_BEGUN_MESSAGES, { id, message_ids: events.map(({ event }) => event.id) });
  return new Set(rows.map(({ message_id }) => message_id));
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

/**
 * Messages that have failed, or are to be sent again, and are due: those first that have waited longest. With the event,
 * unless it was removed. Each event is looked up by its key: a join might read all events of an organisation that the
 * statistics do not know.
 */
export const READ_DUE_MESSAGES = sql('read-due-webhook-messages', {
  message_id: 'text',
  event_type: 'text',
  attempts: 'integer',
  retried_since: 'timestamptz',
  payload: narrow<Record<string, unknown> | null>('jsonb | null'),
  position: 'bigint | null',
  id: 'bigint | null',
  ...EVENT_COLUMNS,
})`
  SELECT
    message_id,
    event_type,
    attempts,
    retried_since,
    payload,
    position,
    event.id,
    event_id,
    type,
    import_supplier_code,
    external_account_number,
    service_account_number,
    data,
    occurred_at
  FROM webhook_deliveries
  LEFT JOIN LATERAL (
    SELECT id, event_id, type, import_supplier_code, external_account_number, service_account_number, data, occurred_at
    FROM events
    WHERE organisation_id = ${'organisation_id'} AND id = position
    LIMIT 1
  ) AS event ON true
  WHERE webhook_endpoint_id = ${'id'} AND state = 'WAITING' AND next_attempt_at <= ${'now'}
  ORDER BY next_attempt_at
  LIMIT ${'limit'}`;

/**
 * Which messages were begun before: a turn may end in front of one, and behind a later one about another account. Each is
 * looked up by itself, and as the first of a range: only the primary key has that order. For an endpoint that the
 * statistics do not know any index of endpoints is as good to the planner, and another one would read all that it has.
 */
export const FIND_BEGUN_MESSAGES = sql('find-begun-webhook-messages', { message_id: 'text | null' })`
  SELECT message_id
  FROM unnest(${'message_ids'}::text[]) AS asked (message_id)
  WHERE (
    SELECT true
    FROM webhook_deliveries AS delivery
    WHERE delivery.webhook_endpoint_id = ${'id'}
      AND delivery.message_id >= asked.message_id
      AND delivery.message_id <= asked.message_id
    ORDER BY delivery.message_id
    LIMIT 1
  )`;
