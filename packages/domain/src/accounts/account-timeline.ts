import {
  type AccountTimelineRequest,
  type AuditEvent,
  type CustomerEmail,
  LIMITS,
  type TimelineEntry,
} from '@causeway/contracts';
import { findStaffAccountImport } from '../account-imports/staff-account-import.ts';
import { accountKey } from '../account-key.ts';
import { mayOnlyRead } from '../api-keys/refuse-read-only.ts';
import { maskDetail } from '../audit/mask-detail.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { withoutMadeUpNames } from '../refusals/without-made-up-names.ts';
import { ACCOUNT_TIMELINE, type TimelineRefusalJson } from './account-timeline.sql.ts';

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
  // What was never staged may have been refused all the same: it has a timeline too.
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
