import { fragment, narrow, sql } from '@causeway/db';

/**
 * The first number of the organisation's events that may still be committed. A statement that begins after this one sees
 * every event that there will ever be below it.
 */
export const FIRST_UNSETTLED_EVENT = sql('first-unsettled-event', { id: 'bigint' })`
  SELECT first_unsettled_event(${'organisation_id'}) AS id`;

const NAMES = fragment`id, event_id, type, import_supplier_code, external_account_number, service_account_number, data,
      occurred_at`;

/**
 * The next events after an id, of some types or of all: a range of the primary key, of at most `scanned` events. A row
 * that is no `match` is the last one that was looked at. There is always a row; `is_place` says whether there is an event
 * with this id, and it is what it was: whether all after it are still there.
 */
export const READ_EVENTS = sql('read-events', {
  is_place: 'boolean | null',
  is_full: 'boolean | null',
  is_match: 'boolean | null',
  id: 'bigint | null',
  event_id: 'uuid | null',
  type: 'text | null',
  import_supplier_code: 'text | null',
  external_account_number: 'text | null',
  service_account_number: 'text | null',
  data: narrow<Record<string, unknown> | null>('jsonb | null'),
  occurred_at: 'timestamptz | null',
})`
  WITH looked_at AS MATERIALIZED (
    SELECT ${NAMES}, (${'types'}::text[] IS NULL OR type = ANY (${'types'})) AS is_match
    FROM events
    WHERE organisation_id = ${'organisation_id'}
      AND id > ${'after_id'}::bigint
      AND id < ${'unsettled_from'}::bigint
    ORDER BY id
    LIMIT ${'scanned'}
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

/** One event, as long as it is kept. */
export const READ_EVENT = sql('read-event', {
  id: 'bigint',
  event_id: 'uuid',
  type: 'text',
  import_supplier_code: 'text',
  external_account_number: 'text | null',
  service_account_number: 'text | null',
  data: narrow<Record<string, unknown>>('jsonb'),
  occurred_at: 'timestamptz',
})`
  SELECT ${NAMES}
  FROM events
  WHERE organisation_id = ${'organisation_id'} AND id = ${'id'}::bigint`;
