import { fragment, sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

const EXISTING = fragment`id = ${'id'} AND deleted_at IS NULL`;

/**
 * Changes what is given; the rest is null. What is under way says no more how the endpoint stands. An endpoint that is enabled goes on where it was: what waits is due at once,
 * for another three days. No row: it does not exist.
 */
export const UPDATE_WEBHOOK_ENDPOINT = sql('update-webhook-endpoint', { id: 'uuid' })`
  WITH changed AS (
    UPDATE webhook_endpoints
    SET
      url = coalesce(${'url'}, url),
      description = coalesce(${'description'}, description),
      event_types = coalesce(${'event_types'}, event_types),
      import_suppliers = coalesce(${'import_suppliers'}, import_suppliers),
      state = CASE ${'enabled'}::boolean WHEN true THEN 'ENABLED' WHEN false THEN 'DISABLED' ELSE state END,
      disabled_reason = CASE
        WHEN ${'enabled'} THEN NULL
        WHEN NOT ${'enabled'} THEN coalesce(disabled_reason, 'asked')
        ELSE disabled_reason
      END,
      disabled_at = CASE
        WHEN ${'enabled'} THEN NULL
        WHEN NOT ${'enabled'} THEN coalesce(disabled_at, ${'at'})
        ELSE disabled_at
      END,
      failures = CASE WHEN ${'enabled'} THEN 0 ELSE failures END,
      failing_since = CASE WHEN ${'enabled'} THEN NULL ELSE failing_since END,
      not_before = CASE WHEN ${'enabled'} OR ${'url'}::text IS NOT NULL THEN NULL ELSE not_before END,
      secret_unreadable_since = CASE WHEN ${'enabled'} THEN NULL ELSE secret_unreadable_since END,
      revision = revision + 1
    WHERE ${EXISTING}
    RETURNING id
  ),
  due AS (
    UPDATE webhook_deliveries
    SET next_attempt_at = ${'at'}, retried_since = ${'at'}
    WHERE webhook_endpoint_id = (SELECT id FROM changed) AND state = 'WAITING' AND ${'enabled'}
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'webhook_endpoint', 'updated', ${'detail'}::jsonb
    FROM changed
  )
  SELECT id
  FROM changed`;

/** Nothing is sent any more, and nobody knows its secrets any more. No row: it does not exist. */
export const DELETE_WEBHOOK_ENDPOINT = sql('delete-webhook-endpoint', { id: 'uuid' })`
  WITH changed AS (
    UPDATE webhook_endpoints
    SET deleted_at = ${'at'}, secret = NULL, previous_secret = NULL, previous_secret_until = NULL, lease = lease + 1
    WHERE ${EXISTING}
    RETURNING id
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action)
    SELECT ${AUDIT_VALUES}, 'webhook_endpoint', 'deleted'
    FROM changed
  )
  SELECT id
  FROM changed`;

/** The secret becomes the previous one, unless it cannot be read any more. No row: the endpoint does not exist. */
export const ROTATE_WEBHOOK_SECRET = sql('rotate-webhook-secret', { id: 'uuid' })`
  WITH changed AS (
    UPDATE webhook_endpoints
    SET
      secret = ${'secret'},
      previous_secret = secret,
      previous_secret_until = ${'until'},
      secret_unreadable_since = NULL,
      revision = revision + 1
    WHERE ${EXISTING}
    RETURNING id
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action)
    SELECT ${AUDIT_VALUES}, 'webhook_endpoint', 'secret_rotated'
    FROM changed
  )
  SELECT id
  FROM changed`;
