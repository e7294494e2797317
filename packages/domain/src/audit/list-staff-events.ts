import { LIMITS, type ListStaffEventsRequest, type StaffEvent } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';
import { mayOnlyRead } from '../api-keys/refuse-read-only.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { derivedId } from '../derived-id.ts';
import { maskDetail } from './audit-event-records.ts';

/** PostgreSQL's largest bigint. */
const AFTER_ALL = '9223372036854775807';

/**
 * What the service team did, or what was done with one key, newest first (behaviour 14.7.4): `limit` events before the
 * event `before`. What it takes depends on the page and on the number of keys, not of events.
 */
export async function listStaffEvents(
  context: Context,
  { api_key_id, limit = LIMITS.audit_trail, before = AFTER_ALL }: ListStaffEventsRequest,
): Promise<StaffEvent[]> {
  const { database } = context;
  const masked = mayOnlyRead(context);
  const rows = await database.query(LIST_STAFF_EVENTS, { api_key_id: api_key_id ?? null, limit, before });
  const suppliers = await database.prisma.importSupplier.findMany({ select: { code: true } });
  const codes = new Map(suppliers.map(({ code }) => [derivedId('import_supplier', code), code]));
  return rows.map(({ code, occurred_at, ...row }) => ({
    ...row,
    detail: masked ? maskDetail(row) : row.detail,
    actor: 'staff',
    code: code ?? (row.subject === 'import_supplier' ? (codes.get(row.subject_id) ?? null) : null),
    occurred_at: utcDatetime(occurred_at),
  }));
}

/** What was done with the keys of the service team, newest first: of each key a range of their index. */
export const LIST_STAFF_EVENTS = sql('list-staff-events', {
  id: 'bigint',
  action: 'text',
  api_key_id: 'uuid | null',
  person: 'text | null',
  request_id: 'text',
  caller_request_id: 'text | null',
  detail: narrow<Record<string, unknown> | null>('jsonb | null'),
  occurred_at: 'timestamptz',
  subject: 'text',
  subject_id: 'uuid',
  code: 'text | null',
  external_account_number: 'text | null',
})`
  SELECT
    event.id,
    event.action,
    event.api_key_id,
    event.person,
    event.request_id,
    event.caller_request_id,
    event.detail,
    event.occurred_at,
    event.subject,
    event.subject_id,
    import.import_supplier_code AS code,
    import.external_account_number
  FROM (
    SELECT recent.*, key.person
    FROM api_keys AS key
    CROSS JOIN LATERAL (
      SELECT *
      FROM audit_events
      WHERE actor = 'staff' AND api_key_id = key.id AND id < ${'before'}
      ORDER BY id DESC
      LIMIT ${'limit'}
    ) AS recent
    WHERE key.organisation_id IS NULL AND (${'api_key_id'}::uuid IS NULL OR key.id = ${'api_key_id'})
    ORDER BY recent.id DESC
    LIMIT ${'limit'}
  ) AS event
  LEFT JOIN account_imports AS import ON event.subject = 'account_import' AND import.id = event.subject_id
  ORDER BY event.id DESC`;
