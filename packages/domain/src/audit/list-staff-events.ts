import { LIMITS, type ListStaffEventsRequest, type StaffEvent } from '@causeway/contracts';
import { mayOnlyRead } from '../api-keys/refuse-read-only.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { derivedId } from '../derived-id.ts';
import { LIST_STAFF_EVENTS } from './list-staff-events.sql.ts';
import { maskDetail } from './mask-detail.ts';

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
