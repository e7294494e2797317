import { narrow, sql } from '@causeway/db';
import { EVENT_COLUMNS } from '../events/read-events.sql.ts';

/**
 * Messages that have failed, or are to be sent again, and are due: those first that have waited longest. With the event,
 * unless it was removed.
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
  LEFT JOIN events AS event ON event.organisation_id = ${'organisation_id'} AND event.id = position
  WHERE webhook_endpoint_id = ${'id'} AND state = 'WAITING' AND next_attempt_at <= ${'now'}
  ORDER BY next_attempt_at
  LIMIT ${'limit'}`;

/** Which messages were begun before: a turn may end in front of one, and behind a later one about another account. */
export const FIND_BEGUN_MESSAGES = sql('find-begun-webhook-messages', { message_id: 'text' })`
  SELECT message_id
  FROM webhook_deliveries
  WHERE webhook_endpoint_id = ${'id'} AND message_id = ANY (${'message_ids'})`;
