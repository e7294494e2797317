import type { Event, EventType } from '@causeway/contracts';
import type { Queryable, RowOf } from '@causeway/db';
import { utcDatetime } from '../dates.ts';
import { FIRST_UNSETTLED_EVENT, READ_EVENTS, type StoredEvent } from './read-events.sql.ts';

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
 * may still be committed: whoever goes on at `position` misses none, and meets the events of an account in its order.
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
