import type { AuditEvent, CustomerEmail, TimelineRefusal } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';
import { EMAIL_FIELDS } from '../customer-emails/customer-emails.sql.ts';

/** A refusal as JSON has it. */
export type TimelineRefusalJson = Omit<TimelineRefusal, 'refused'> & { is_refusal: boolean };

/**
 * The audit trail, the refusals and the e-mails of an account import in one order: by time, e-mails before events before
 * refusals, then by their own keys. A page begins after the entry with this time, kind and key, or with the first if
 * `after_ms` is null. The trail of one account is short, and is sorted whole.
 */
export const ACCOUNT_TIMELINE = sql('account-timeline', {
  at_ms: 'bigint',
  kind: narrow<'email' | 'event' | 'refusal'>('text'),
  key: 'text',
  event: narrow<AuditEvent | null>('json | null'),
  refusal: narrow<TimelineRefusalJson | null>('json | null'),
  email: narrow<CustomerEmail | null>('json | null'),
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
  email AS (
    SELECT ${EMAIL_FIELDS}
    FROM customer_emails AS email
    WHERE account_import_id = ${'id'}
  ),
  entry AS (
    SELECT (extract(epoch FROM occurred_at) * 1000)::bigint AS at_ms, 'event' AS kind, lpad(id, 19, '0') AS key,
      to_json(event) AS event, NULL::json AS refusal, NULL::json AS email
    FROM event
    UNION ALL
    SELECT (extract(epoch FROM last_seen_at) * 1000)::bigint, 'refusal',
      operation || CASE WHEN is_refusal THEN '' ELSE ' ' || code END, NULL, to_json(refusal), NULL
    FROM refusal
    UNION ALL
    SELECT (extract(epoch FROM updated_at) * 1000)::bigint, 'email', replace(id::text, '-', ''), NULL, NULL, to_json(email)
    FROM email
  )
  SELECT at_ms, kind, key, event, refusal, email
  FROM entry
  WHERE ${'after_ms'}::bigint IS NULL OR (at_ms, kind, key) > (${'after_ms'}::bigint, ${'after_kind'}::text, ${'after_key'}::text)
  ORDER BY at_ms, kind, key
  LIMIT ${'limit'}`;
