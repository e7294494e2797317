import { LIMITS } from '@causeway/contracts';
import { fragment, narrow, type RowOf, rawSql, sql } from '@causeway/db';

/** A lane renews it every two seconds: what a dead instance had, others go on with soon after this. */
const LEASED_FOR = rawSql("interval '6 seconds'");
const MOST_WAITING = rawSql(String(LIMITS.webhook_waiting));

const WAITING_OF = fragment`
      SELECT
      FROM webhook_deliveries
      WHERE webhook_endpoint_id = endpoint.id AND state = 'WAITING'`;

/** An endpoint to which something is to be sent now, and which nobody has. */
const IS_DUE = fragment`endpoint.state = 'ENABLED'
    AND endpoint.deleted_at IS NULL
    AND coalesce(endpoint.not_before <= ${'now'}, true)
    AND (
      EXISTS (${WAITING_OF} AND next_attempt_at <= ${'now'})
      OR (
        EXISTS (
          SELECT
          FROM events AS event
          WHERE event.organisation_id = endpoint.organisation_id
            AND event.id > endpoint.position
        )
        AND NOT EXISTS (${WAITING_OF} OFFSET ${MOST_WAITING} - 1)
      )
    )`;

/** Whether there is anything to send. */
export const FIND_WEBHOOK_WORK = sql('find-webhook-work', { found: 'boolean' })`
  SELECT EXISTS (
    SELECT
    FROM webhook_endpoints AS endpoint
    WHERE ${IS_DUE}
  ) AS found`;

/**
 * Takes up to `limit` endpoints that are due, those first that have waited longest: `failing` ones, or the others. The
 * lease is measured by the clock of the database, which all instances share.
 */
export const CLAIM_WEBHOOK_ENDPOINTS = sql('claim-webhook-endpoints', {
  id: 'uuid',
  organisation_id: 'uuid',
  lease: 'bigint',
  url: 'text',
  event_types: 'text[]',
  secret: 'bytea | null',
  previous_secret: 'bytea | null',
  position: 'bigint',
  failures: 'integer',
  failing_since: 'timestamptz | null',
  waiting: 'integer | null',
})`
  WITH due AS MATERIALIZED (
    SELECT id
    FROM webhook_endpoints AS endpoint
    WHERE ${IS_DUE}
      AND coalesce(endpoint.leased_until <= clock_timestamp(), true)
      AND (endpoint.failures > 0) = ${'failing'}::boolean
    ORDER BY endpoint.worked_at NULLS FIRST
    LIMIT ${'limit'}
    FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE webhook_endpoints AS endpoint
  SET
    lease = endpoint.lease + 1,
    leased_until = clock_timestamp() + ${LEASED_FOR},
    worked_at = clock_timestamp()
  FROM due
  WHERE endpoint.id = due.id
  RETURNING
    endpoint.id,
    endpoint.organisation_id,
    endpoint.lease,
    endpoint.url,
    endpoint.event_types,
    endpoint.secret,
    CASE WHEN endpoint.previous_secret_until > ${'now'} THEN endpoint.previous_secret END AS previous_secret,
    endpoint.position,
    endpoint.failures,
    endpoint.failing_since,
    (
      SELECT count(*)::integer
      FROM webhook_deliveries
      WHERE webhook_endpoint_id = endpoint.id AND state = 'WAITING'
    ) AS waiting`;
export type ClaimedEndpoint = RowOf<typeof CLAIM_WEBHOOK_ENDPOINTS>;

/** Those of the claims that still count; one of an endpoint that was disabled or deleted does not. */
export const RENEW_WEBHOOK_LEASES = sql('renew-webhook-leases', { id: 'uuid' })`
  UPDATE webhook_endpoints AS endpoint
  SET leased_until = clock_timestamp() + ${LEASED_FOR}
  FROM json_to_recordset(${'held'}::json) AS held (id uuid, lease bigint)
  WHERE endpoint.id = held.id
    AND endpoint.lease = held.lease
    AND endpoint.state = 'ENABLED'
    AND endpoint.deleted_at IS NULL
  RETURNING endpoint.id`;

/** Messages that have failed, or are to be sent again, and are due: those first that have waited longest. */
export const READ_DUE_MESSAGES = sql('read-due-webhook-messages', {
  message_id: 'text',
  event_type: 'text',
  attempts: 'integer',
  retried_since: 'timestamptz',
  payload: narrow<Record<string, unknown> | null>('jsonb | null'),
  position: 'bigint | null',
})`
  SELECT
    message_id,
    event_type,
    attempts,
    retried_since,
    payload,
    position
  FROM webhook_deliveries
  WHERE webhook_endpoint_id = ${'id'} AND state = 'WAITING' AND next_attempt_at <= ${'now'}
  ORDER BY next_attempt_at
  LIMIT ${'limit'}`;

/**
 * What became of messages, and how the endpoint stands after them; the lane gives it back. It counts only while the
 * lane's claim is the last one: no row otherwise. A message that somebody has sent again meanwhile stays as it is.
 */
export const RECORD_DELIVERIES = sql('record-webhook-deliveries', { id: 'uuid' })`
  WITH endpoint AS (
    UPDATE webhook_endpoints
    SET
      position = ${'position'},
      failures = ${'failures'},
      failing_since = ${'failing_since'},
      not_before = ${'not_before'},
      last_delivered_at = coalesce(${'last_delivered_at'}, last_delivered_at),
      leased_until = NULL
    WHERE id = ${'id'} AND lease = ${'lease'} AND deleted_at IS NULL
    RETURNING id
  ),
  outcome AS (
    SELECT *
    FROM json_to_recordset(${'outcomes'}::json) AS outcome (
      message_id text, position bigint, event_type text, payload jsonb,
      state webhook_delivery_state, attempts integer, retried_since timestamptz, last_attempted_at timestamptz,
      next_attempt_at timestamptz, failure text, status integer, duration_ms integer, answer text
    )
  ),
  recorded AS (
    INSERT INTO webhook_deliveries (
      webhook_endpoint_id, message_id, position, event_type, payload, state, attempts, created_at,
      retried_since, last_attempted_at, next_attempt_at, failure, status, duration_ms, answer
    )
    SELECT
      endpoint.id, message_id, position, event_type, payload, state, attempts, last_attempted_at,
      retried_since, last_attempted_at, next_attempt_at, failure, status, duration_ms, answer
    FROM endpoint, outcome
    ON CONFLICT (webhook_endpoint_id, message_id) DO UPDATE
    SET
      state = excluded.state,
      attempts = excluded.attempts,
      last_attempted_at = excluded.last_attempted_at,
      next_attempt_at = excluded.next_attempt_at,
      failure = excluded.failure,
      status = excluded.status,
      duration_ms = excluded.duration_ms,
      answer = excluded.answer
    WHERE webhook_deliveries.retried_since = excluded.retried_since
  )
  SELECT id
  FROM endpoint`;

/** After a success that ends many failures, nothing waits any longer. */
export const HURRY_WAITING = sql('hurry-waiting-webhooks')`
  UPDATE webhook_deliveries
  SET next_attempt_at = ${'now'}
  WHERE webhook_endpoint_id = ${'id'} AND state = 'WAITING' AND next_attempt_at > ${'now'}`;

/** By the service itself, which gives it back. No row: somebody was faster. */
export const DISABLE_WEBHOOK_ENDPOINT = sql('disable-webhook-endpoint', { id: 'uuid' })`
  WITH disabled AS (
    UPDATE webhook_endpoints
    SET state = 'DISABLED', disabled_reason = ${'reason'}, disabled_at = ${'now'}, leased_until = NULL
    WHERE id = ${'id'} AND lease = ${'lease'} AND state = 'ENABLED' AND deleted_at IS NULL
    RETURNING id
  ),
  audit AS (
    INSERT INTO audit_events (subject_id, subject, action, actor, request_id, detail, occurred_at)
    SELECT id, 'webhook_endpoint', 'disabled', 'service', 'webhooks',
      jsonb_build_object('reason', ${'reason'}::text), ${'now'}
    FROM disabled
  )
  SELECT id
  FROM disabled`;

/** Only if nobody has rotated the secret meanwhile. */
export const SEAL_SECRETS_AGAIN = sql('seal-webhook-secrets-again')`
  UPDATE webhook_endpoints
  SET secret = ${'secret'}, previous_secret = ${'previous'}
  WHERE id = ${'id'} AND secret = ${'old_secret'}`;

export const SEALED_SECRETS = sql('sealed-webhook-secrets', {
  id: 'uuid',
  secret: 'bytea | null',
  previous_secret: 'bytea | null',
})`
  SELECT id, secret, previous_secret
  FROM webhook_endpoints
  WHERE deleted_at IS NULL`;
