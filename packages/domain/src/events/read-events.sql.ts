import { fragment, narrow, sql } from '@causeway/db';

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
