import type { AuditEvent, TimelineRefusal } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';

/** A refusal as JSON has it. */
export type TimelineRefusalJson = Omit<TimelineRefusal, 'refused'> & { is_refusal: boolean };

/**
 * The audit trail and the refusals of an account import in one order: by time, events before refusals, then by their
 * own keys. A page begins after the entry with this time, kind and key, or with the first if `after_ms` is null. The
 * trail of one account is short, and is sorted whole.
 */
export const ACCOUNT_TIMELINE = sql('account-timeline', {
  at_ms: 'bigint',
  kind: narrow<'event' | 'refusal'>('text'),
  key: 'text',
  event: narrow<AuditEvent | null>('json | null'),
  refusal: narrow<TimelineRefusalJson | null>('json | null'),
})`
  WITH event AS (
    SELECT event.id::text, action, actor, api_key_id, person, request_id, caller_request_id, detail, occurred_at
    FROM audit_events AS event
    LEFT JOIN api_keys AS key ON key.id = api_key_id
    WHERE subject_id = ${'id'} AND subject = 'account_import'
  ),
  refusal AS (
    SELECT operation, reported = '' AS is_refusal, code, errors, detail, times, request_id, first_seen_at, last_seen_at,
      resolved_at
    FROM account_import_refusals
    WHERE account_import_id = ${'id'}
  ),
  entry AS (
    SELECT (extract(epoch FROM occurred_at) * 1000)::bigint AS at_ms, 'event' AS kind, lpad(id, 19, '0') AS key,
      to_json(event) AS event, NULL::json AS refusal
    FROM event
    UNION ALL
    SELECT (extract(epoch FROM last_seen_at) * 1000)::bigint, 'refusal',
      operation || CASE WHEN is_refusal THEN '' ELSE ' ' || code END, NULL, to_json(refusal)
    FROM refusal
  )
  SELECT at_ms, kind, key, event, refusal
  FROM entry
  WHERE ${'after_ms'}::bigint IS NULL OR (at_ms, kind, key) > (${'after_ms'}::bigint, ${'after_kind'}::text, ${'after_key'}::text)
  ORDER BY at_ms, kind, key
  LIMIT ${'limit'}`;
