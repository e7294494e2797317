import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** One creation at a time: they count what there is. */
export const LOCK_ORGANISATION = sql('lock-organisation-for-webhooks', { lock: 'void' })`
  SELECT pg_advisory_xact_lock(hashtextextended('webhooks ' || ${'organisation_id'}, 0)) AS lock`;

/** Whether an organisation may have another endpoint: how many it has, and whether there are events to send. */
export const READ_ROOM_FOR_ENDPOINT = sql('read-room-for-webhook-endpoint', {
  endpoints: 'integer | null',
  is_recorded: 'boolean | null',
})`
  SELECT
    (
      SELECT count(*)::integer
      FROM webhook_endpoints
      WHERE organisation_id = ${'organisation_id'} AND deleted_at IS NULL
    ) AS endpoints,
    (SELECT is_recorded FROM event_settings) AS is_recorded`;

export const CREATE_WEBHOOK_ENDPOINT = sql('create-webhook-endpoint')`
  WITH created AS (
    INSERT INTO webhook_endpoints (
      id, organisation_id, url, description, event_types, import_suppliers, secret, position, created_by, created_at
    )
    VALUES (
      ${'id'},
      ${'organisation_id'},
      ${'url'},
      ${'description'},
      ${'event_types'},
      ${'import_suppliers'},
      ${'secret'},
      ${'position'},
      ${'api_key_id'},
      ${'at'}
    )
    RETURNING id
  )
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  SELECT ${AUDIT_VALUES}, 'webhook_endpoint', 'created',
    jsonb_build_object('organisation_id', ${'organisation_id'}::text, 'host', ${'host'}::text)
  FROM created`;
