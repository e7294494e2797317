import { narrow, sql } from '@causeway/db';
import { EVENT_COLUMNS } from '../events/read-events.sql.ts';

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
