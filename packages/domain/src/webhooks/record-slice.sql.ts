import { fragment, sql } from '@causeway/db';

/** Nobody has changed the endpoint, its secret or what is to be sent at once since it was claimed. */
const IS_UNCHANGED = fragment`revision = ${'revision'}`;

/**
 * What happened to messages, and how the endpoint stands after them: perhaps it is disabled. The lane gives it back. All of it
 * counts only while the lane's claim is the last one: no row otherwise. How the endpoint stands counts only if nobody has
 * changed it meanwhile: what was sent to a former URL says nothing about the new one, and an event that it did not want
 * then it may want now. So the next turn looks at the same events again; those that were begun have rows. A message that
 * somebody has sent again meanwhile stays as it is.
 */
export const RECORD_SLICE = sql('record-webhook-slice', { is_disabled: 'boolean | null' })`
  WITH endpoint AS (
    UPDATE webhook_endpoints
    SET
      position = CASE WHEN ${IS_UNCHANGED} THEN ${'position'} ELSE position END,
      last_delivered_at = coalesce(${'last_delivered_at'}, last_delivered_at),
      leased_until = NULL,
      failures = CASE WHEN ${IS_UNCHANGED} THEN ${'failures'} ELSE failures END,
      failing_since = CASE WHEN ${IS_UNCHANGED} THEN ${'failing_since'} ELSE failing_since END,
      not_before = CASE WHEN ${IS_UNCHANGED} THEN ${'not_before'} ELSE not_before END,
      secret_unreadable_since = CASE
        WHEN ${IS_UNCHANGED} THEN ${'secret_unreadable_since'}
        ELSE secret_unreadable_since
      END,
      state = CASE WHEN ${IS_UNCHANGED} AND ${'reason'}::text IS NOT NULL THEN 'DISABLED' ELSE state END,
      disabled_reason = CASE WHEN ${IS_UNCHANGED} THEN ${'reason'} ELSE disabled_reason END,
      disabled_at = CASE WHEN ${IS_UNCHANGED} AND ${'reason'}::text IS NOT NULL THEN ${'now'} ELSE disabled_at END
    WHERE id = ${'id'} AND lease = ${'lease'} AND deleted_at IS NULL
    RETURNING id, ${IS_UNCHANGED} AND ${'reason'}::text IS NOT NULL AS is_disabled
  ),
  audit AS (
    INSERT INTO audit_events (subject_id, subject, action, actor, request_id, detail, occurred_at)
    SELECT id, 'webhook_endpoint', 'disabled', 'service', 'webhooks',
      jsonb_build_object('reason', ${'reason'}::text), ${'now'}
    FROM endpoint
    WHERE is_disabled
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
  ),
  hurried AS (
    UPDATE webhook_deliveries
    SET next_attempt_at = ${'now'}
    FROM endpoint
    WHERE webhook_endpoint_id = endpoint.id
      AND ${'is_back'}::boolean
      AND state = 'WAITING'
      AND next_attempt_at > ${'now'}
      AND message_id NOT IN (SELECT message_id FROM outcome)
  )
  SELECT is_disabled
  FROM endpoint`;
