import type { WebhookDelivery } from '@causeway/contracts';
import { fragment, narrow, type RowOf, rawSql, selectList, sql } from '@causeway/db';
import { AUDITED } from '../shared/audit-values.ts';

const COLUMNS = {
  message_id: 'text',
  creation_order: 'bigint',
  event_type: 'text',
  state: narrow<WebhookDelivery['state']>('text'),
  attempts: 'integer',
  created_at: 'timestamptz',
  last_attempted_at: 'timestamptz | null',
  next_attempt_at: 'timestamptz | null',
  failure: narrow<WebhookDelivery['failure']>('text | null'),
  status: 'integer | null',
  duration_ms: 'integer | null',
  answer: 'text | null',
} as const;

const RECORD = fragment`
  SELECT ${selectList(COLUMNS, 'delivery', { state: 'delivery.state::text' })}
  FROM webhook_deliveries AS delivery
  WHERE webhook_endpoint_id = ${'id'}`;

export const READ_WEBHOOK_DELIVERY = sql('read-webhook-delivery', COLUMNS)`${RECORD}
    AND message_id = ${'message_id'}`;
export type WebhookDeliveryRow = RowOf<typeof READ_WEBHOOK_DELIVERY>;

const BEFORE = fragment`
    AND creation_order < ${'before'}
  ORDER BY creation_order DESC
  LIMIT ${'limit'}`;

/** `limit` messages before the place `before`, newest first. */
export const LIST_WEBHOOK_DELIVERIES = sql('list-webhook-deliveries', COLUMNS)`${RECORD}${BEFORE}`;

/** The same of those that were accepted, as nearly all are. */
export const LIST_DELIVERED = sql('list-delivered-webhooks', COLUMNS)`${RECORD}
    AND state = 'DELIVERED'${BEFORE}`;

/** The same of those in another state: few among very many, in an index of their own. */
export const LIST_UNDELIVERED = sql('list-undelivered-webhooks', COLUMNS)`${RECORD}
    AND state = ${'state'}::webhook_delivery_state
    AND state <> 'DELIVERED'${BEFORE}`;

/** Makes a message due now and restarts its three days. No row if it does not exist or its endpoint is disabled. */
export const SEND_WEBHOOK_AGAIN = sql('send-webhook-again', { id: 'uuid' })`
  WITH endpoint AS (
    UPDATE webhook_endpoints
    SET not_before = NULL, revision = revision + 1
    WHERE id = ${'id'} AND state = 'ENABLED' AND deleted_at IS NULL
    RETURNING id
  ),
  changed AS (
    UPDATE webhook_deliveries AS delivery
    SET state = 'WAITING', next_attempt_at = ${'at'}, retried_since = ${'at'}
    FROM endpoint
    WHERE delivery.webhook_endpoint_id = endpoint.id AND delivery.message_id = ${'message_id'}
    RETURNING endpoint.id
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'webhook_endpoint', 'sent_again',
      jsonb_build_object('message_id', ${'message_id'}::text)
    FROM changed
  )
  SELECT id FROM changed`;

/** Nobody else tests the endpoint until the transaction has ended. No row: it is disabled. */
export const BEGIN_WEBHOOK_TEST = sql('begin-webhook-test', { id: 'uuid' })`
  UPDATE webhook_endpoints
  SET not_before = NULL, revision = revision + 1
  WHERE id = ${'id'} AND state = 'ENABLED' AND deleted_at IS NULL
  RETURNING id`;

/** A message that is no event, due now: a former test that still waits, or a new one. */
export const TEST_WEBHOOK_ENDPOINT = sql('test-webhook-endpoint', { message_id: 'text | null' })`
  WITH again AS (
    UPDATE webhook_deliveries
    SET next_attempt_at = ${'at'}, retried_since = ${'at'}
    WHERE webhook_endpoint_id = ${'id'} AND state = 'WAITING' AND position IS NULL
    RETURNING message_id
  ),
  added AS (
    INSERT INTO webhook_deliveries (
      webhook_endpoint_id, message_id, event_type, payload, state, attempts, created_at, retried_since, next_attempt_at
    )
    SELECT ${'id'}, ${'message_id'}, ${'event_type'}, ${'payload'}, 'WAITING', 0, ${'at'}, ${'at'}, ${'at'}
    WHERE NOT EXISTS (SELECT FROM again)
    RETURNING message_id
  )
  SELECT message_id
  FROM again
  UNION ALL
  SELECT message_id
  FROM added`;

/** Small enough that no other call waits noticeably for the locks of one statement. */
const REMOVED_AT_ONCE = rawSql('1000');

/** Those that were last changed before `before`, however they ended. */
export const REMOVE_WEBHOOK_DELIVERIES = sql('remove-webhook-deliveries', { message_id: 'text' })`
  DELETE FROM webhook_deliveries
  WHERE (webhook_endpoint_id, message_id) IN (
    SELECT webhook_endpoint_id, message_id
    FROM webhook_deliveries
    WHERE created_at < ${'before'} AND coalesce(last_attempted_at < ${'before'}, true)
    LIMIT ${REMOVED_AT_ONCE}
  )
  RETURNING message_id`;
