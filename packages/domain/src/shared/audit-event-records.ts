import { type AuditEvent, MASK } from '@causeway/contracts';
import { fragment, narrow, type RowOf, selectList, sql } from '@causeway/db';
import { mayOnlyRead } from './actor.ts';
import type { Context } from './context.ts';
import { withUtcDatetimes } from './dates.ts';
import { withoutMadeUpNames } from './refused-fields.ts';

const COLUMNS = {
  id: 'bigint',
  subject: 'text',
  action: 'text',
  actor: 'text',
  api_key_id: 'uuid | null',
  person: 'text | null',
  request_id: 'text',
  caller_request_id: 'text | null',
  detail: narrow<Record<string, unknown> | null>('jsonb | null'),
  occurred_at: 'timestamptz',
} as const;

/** A key is never deleted, and its person never changes: the trail need not repeat the name. */
const RECORD = fragment`
  SELECT ${selectList(COLUMNS, 'event', { person: 'key.person' })}
  FROM audit_events AS event
  LEFT JOIN api_keys AS key ON key.id = event.api_key_id
  WHERE event.subject_id = ${'id'}`;

export const LIST_AUDIT_EVENTS = sql('list-audit-events', COLUMNS)`${RECORD}
    AND event.subject = ${'subject'}
    AND event.id > ${'after'}::bigint
  ORDER BY event.id
  LIMIT ${'limit'}`;

export const LIST_NEWEST_EVENTS = sql('list-newest-events', COLUMNS)`${RECORD}
  ORDER BY event.id DESC
  LIMIT ${'limit'}`;

/**
 * Events of an audit trail as the service team sees them, with the persons of the keys that were used (behaviour 24.1).
 * Masked, and for a key that may only read, the reasons are hidden that an erasure blanks (behaviour 14.8.7).
 */
export function auditEventRecords(
  context: Context,
  rows: RowOf<typeof LIST_AUDIT_EVENTS>[],
  { masked = mayOnlyRead(context) } = {},
): AuditEvent[] {
  return rows.map(({ subject, ...row }) => ({
    ...withUtcDatetimes(row),
    detail: masked ? maskDetail({ ...row, subject }) : row.detail,
  }));
}

/** What is looked at of an event of any audit trail. */
interface MaskableEvent {
  subject: string;
  action: string;
  detail: unknown;
}

/**
 * Details of an event without what an erasure of its account blanks, the reason in words of the service team, and without
 * names that are not documented.
 */
export function maskDetail({ subject, action, detail }: MaskableEvent): Record<string, unknown> | null {
  const details = detail as Record<string, unknown> | null;
  if (subject !== 'account_import' || action === 'erased' || details === null) return details;
  return { ...withoutMadeUpNames(details), ...('reason' in details && { reason: MASK }) };
}
