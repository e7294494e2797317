import type { Event, EventType } from '@causeway/contracts';
import { fragment, narrow, type Queryable, type RowOf, sql } from '@causeway/db';
import { utcDatetime } from '../shared/dates.ts';

/** Where a reader is in the events of an organisation: the number of the last event that it has passed. */
export type EventPosition = string;

/** An event as it is told, and its place. */
export interface PlacedEvent {
  position: EventPosition;
  event: Event;
}

export interface EventSlice {
  events: PlacedEvent[];
  /** Where the next slice begins. Events of other types may have been passed: it moves on without any that match. */
  position: EventPosition;
  /** Whether there may be more of them now. */
  hasMore: boolean;
  /** The last event that was passed, if one was: what a cursor is made of. */
  last: { id: EventPosition; event_id: string } | undefined;
  /** Whether the event at which the slice begins is there, and has this mark: so all after it are. */
  isPlace: boolean;
}

export interface EventsAfter {
  organisationId: string;
  after: EventPosition;
  limit: number;
  types?: readonly EventType[] | undefined;
  importSuppliers?: readonly string[] | undefined;
  /** The beginning of the id of the event `after`, if it must be there. */
  mark?: string;
}

/** Events of other types that are passed in one statement. */
const PASSED_AT_ONCE = 10_000;
/** A position in front of all events. */
export const BEFORE_ALL_EVENTS: EventPosition = '0';

/**
 * The next events of an organisation in the order of their numbers (behaviour 27.2). It ends before the first number that
 * may still be committed: anyone who continues at `position` misses none, and meets the events of an account in its order.
 */
export async function readEvents(database: Queryable, request: EventsAfter): Promise<EventSlice> {
  const { organisationId: organisation_id, after, limit, types, importSuppliers, mark = '' } = request;
  const isOfAll = types === undefined && importSuppliers === undefined;
  // Before the events are read: only then are all below it seen.
  const unsettledFrom = await firstUnsettled(database, organisation_id);
  const rows = await database.query(READ_EVENTS, {
    organisation_id,
    after_id: after,
    after_mark: mark,
    types: types ?? null,
    import_suppliers: importSuppliers ?? null,
    unsettled_from: unsettledFrom,
    scanned: isOfAll ? limit + 1 : Math.max(PASSED_AT_ONCE, limit + 1),
    limit: limit + 1,
  });
  const found = rows.filter((row) => hasEvent(row));
  const events = found.filter(({ is_match }) => is_match).slice(0, limit);
  const isCut = found.length > limit;
  const last = isCut ? events.at(-1) : found.at(-1);
  return {
    events: events.map((row) => ({ position: row.id, event: eventOf(row) })),
    position: last?.id ?? after,
    hasMore: isCut || found.at(-1)?.is_full === true,
    last,
    isPlace: rows[0]?.is_place === true,
  };
}

/** The position after every event that there is now: a reader that begins there is told of what comes later. */
export async function currentEventPosition(database: Queryable, organisationId: string): Promise<EventPosition> {
  return String(BigInt(await firstUnsettled(database, organisationId)) - 1n);
}

async function firstUnsettled(database: Queryable, organisation_id: string): Promise<string> {
  const [unsettled] = await database.query(FIRST_UNSETTLED_EVENT, { organisation_id });
  return unsettled?.id ?? BEFORE_ALL_EVENTS;
}

/** Whether there is an event in a row that may have none. */
export function hasEvent<Row extends Pick<RowOf<typeof READ_EVENTS>, 'id' | 'event_id'>>(
  row: Row,
): row is Row & StoredEvent & { id: string } {
  return row.event_id !== null;
}

/** An event as it is told. */
export function eventOf(row: StoredEvent): Event {
  const { event_id, type, import_supplier_code, external_account_number, service_account_number, data } = row;
  const account = external_account_number === null ? {} : { external_account_number, service_account_number };
  const link = `/v1/data-import/${subjectOf(row).map(encodeURIComponent).join('/')}/`;
  return {
    id: `evt_${event_id.replaceAll('-', '')}`,
    type: type as EventType,
    timestamp: utcDatetime(row.occurred_at),
    data: { import_supplier: import_supplier_code, ...account, ...data, link },
  } as Event;
}

/** Where over REST is what an event is about. */
function subjectOf({ import_supplier_code, external_account_number, data }: StoredEvent): string[] {
  if (external_account_number !== null) return ['accounts', import_supplier_code, external_account_number];
  const { job_id, reconciliation_id } = data as { job_id?: string; reconciliation_id?: string };
  if (job_id !== undefined) return ['bulk-jobs', job_id];
  if (reconciliation_id !== undefined) return ['reconciliations', reconciliation_id];
  return ['import-suppliers', import_supplier_code];
}

/**
 * The first number of the organisation's events that may still be committed. A statement that begins after this one sees
 * every event that there will ever be below it.
 */
export const FIRST_UNSETTLED_EVENT = sql('first-unsettled-event', { id: 'bigint' })`
  SELECT first_unsettled_event(${'organisation_id'}) AS id`;

const NAMES = fragment`id, event_id, type, import_supplier_code, external_account_number, service_account_number, data,
      occurred_at`;

/** Of a row in which there may be no event. */
export const EVENT_COLUMNS = {
  event_id: 'uuid | null',
  type: 'text | null',
  import_supplier_code: 'text | null',
  external_account_number: 'text | null',
  service_account_number: 'text | null',
  data: narrow<Record<string, unknown> | null>('jsonb | null'),
  occurred_at: 'timestamptz | null',
} as const;

/** An event in its row. */
export interface StoredEvent {
  event_id: string;
  type: string;
  import_supplier_code: string;
  external_account_number: string | null;
  service_account_number: string | null;
  data: Record<string, unknown>;
  occurred_at: Date;
}

/**
 * The next events after an id, of some types and import suppliers or of all: a range of the primary key, of at most
 * `scanned` events. A row that is no `match` is the last one that was looked at. There is always a row; `is_place` says
 * whether there is an event with this id, and it is what it was: whether all after it are still there.
 */
export const READ_EVENTS = sql('read-events', {
  is_place: 'boolean | null',
  is_full: 'boolean | null',
  is_match: 'boolean | null',
  id: 'bigint | null',
  ...EVENT_COLUMNS,
})`
  WITH looked_at AS MATERIALIZED (
    SELECT ${NAMES}, (${'types'}::text[] IS NULL OR type = ANY (${'types'}))
      AND (${'import_suppliers'}::text[] IS NULL OR import_supplier_code = ANY (${'import_suppliers'})) AS is_match
    FROM events_between(${'organisation_id'}, ${'after_id'}, ${'unsettled_from'}, ${'scanned'})
  ),
  place AS (
    SELECT (
      SELECT left(event_id::text, 8) = ${'after_mark'}
      FROM events
      WHERE organisation_id = ${'organisation_id'} AND id = ${'after_id'}
    ) AS is_place
  )
  SELECT is_place, page.*
  FROM place
  LEFT JOIN (
    SELECT (SELECT count(*) FROM looked_at) = ${'scanned'} AS is_full, is_match, ${NAMES}
    FROM looked_at
    WHERE is_match OR id = (SELECT max(id) FROM looked_at)
    ORDER BY id
    LIMIT ${'limit'}
  ) AS page ON true
  ORDER BY id`;
