import {
  type AccountTimelineRequest,
  type AuditEvent,
  type CustomerEmail,
  LIMITS,
  type TimelineEntry,
  type TimelineRefusal,
} from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';
import { findStaffAccountImport } from '../account-imports/staff-account-import.ts';
import { EMAIL_FIELDS } from '../customer-emails/customer-emails.sql.ts';
import { mayOnlyRead } from '../shared/actor.ts';
import { maskDetail } from '../shared/audit-event-records.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime } from '../shared/dates.ts';
import { accountKey } from '../shared/derived-id.ts';
import { withoutMadeUpNames } from '../shared/refused-fields.ts';

/**
 * What happened to an account import, oldest first (behaviour 4.16.9): the events of its audit trail and what was
 * refused of it, each with its request id, and its e-mails as they are now; `limit` entries after the entry `after`.
 * Refuses with `account_not_found`.
 */
export async function accountTimeline(context: Context, request: AccountTimelineRequest): Promise<TimelineEntry[]> {
  const { code, external_account_number, limit = LIMITS.audit_trail, after } = request;
  const [after_ms = null, after_kind = null, after_key = null] = after?.split('-') ?? [];
  const { id } = accountKey(code, external_account_number);
  const rows = await context.database.query(ACCOUNT_TIMELINE, { id, limit, after_ms, after_kind, after_key });
  const masked = mayOnlyRead(context);
  // What was never staged may have been refused anyway: it has a timeline too.
  if (rows.length === 0 && after === undefined) await findStaffAccountImport(context, request);
  return rows.map(({ at_ms, kind, key, event, refusal, email }) => ({
    position: `${at_ms}-${kind}-${key}`,
    at: utcDatetime(new Date(Number(at_ms))),
    ...(event !== null && { event: shownEvent(event, masked) }),
    ...(refusal !== null && { refusal: masked ? withoutMadeUpNames(shown(refusal)) : shown(refusal) }),
    ...(email !== null && { email: shownEmail(email) }),
  }));
}

function shownEvent(event: AuditEvent, masked: boolean): AuditEvent {
  const detail = masked ? maskDetail({ ...event, subject: 'account_import' }) : event.detail;
  return { ...event, detail, occurred_at: datetime(event.occurred_at) };
}

function shown({ is_refusal, first_seen_at, last_seen_at, resolved_at, ...refusal }: TimelineRefusalJson) {
  return {
    ...refusal,
    refused: is_refusal,
    first_seen_at: datetime(first_seen_at),
    last_seen_at: datetime(last_seen_at),
    resolved_at: resolved_at === null ? null : datetime(resolved_at),
  };
}

function shownEmail(email: CustomerEmail): CustomerEmail {
  const { created_at, updated_at, next_attempt_at, sent_at } = email;
  return {
    ...email,
    created_at: datetime(created_at),
    updated_at: datetime(updated_at),
    next_attempt_at: next_attempt_at && datetime(next_attempt_at),
    sent_at: sent_at && datetime(sent_at),
  };
}

/** PostgreSQL's JSON has a time zone and milliseconds. */
function datetime(text: string): string {
  return utcDatetime(new Date(text));
}

/** A refusal as JSON has it. */
type TimelineRefusalJson = Omit<TimelineRefusal, 'refused'> & { is_refusal: boolean };

/**
 * The audit trail, the refusals and the e-mails of an account import in one order: by time, e-mails before events before
 * refusals, then by their own keys. A page begins after the entry with this time, kind and key, or with the first if
 * `after_ms` is null. The trail of one account is short, and is sorted whole.
 */
const ACCOUNT_TIMELINE = sql('account-timeline', {
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
