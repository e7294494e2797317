import type { AuditEvent } from '@causeway/contracts';
import type { AuditEvent as AuditEventRow } from '@causeway/db';
import { mayOnlyRead } from '../api-keys/refuse-read-only.ts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { maskDetail } from './mask-detail.ts';

/**
 * Events of an audit trail as the service team sees them, with the persons of the keys that were used (behaviour 24.1).
 * Masked, and for a key that may only read, the reasons are hidden that an erasure blanks (behaviour 14.8.7).
 */
export async function auditEventRecords(
  context: Context,
  rows: AuditEventRow[],
  { masked = mayOnlyRead(context) } = {},
): Promise<AuditEvent[]> {
  const persons = await personsOf(context, new Set(rows.flatMap(({ api_key_id }) => api_key_id ?? [])));
  return rows.map((row) => ({
    id: String(row.id),
    action: row.action,
    actor: row.actor,
    api_key_id: row.api_key_id,
    person: persons.get(row.api_key_id) ?? null,
    request_id: row.request_id,
    caller_request_id: row.caller_request_id,
    detail: masked ? maskDetail(row) : (row.detail as Record<string, unknown> | null),
    occurred_at: utcDatetime(row.occurred_at),
  }));
}

/** A key is never deleted, and its person never changes: the trail need not repeat the name. */
async function personsOf({ database }: Context, ids: Set<string>): Promise<Map<string | null, string | null>> {
  const keys = await database.prisma.apiKey.findMany({
    where: { id: { in: [...ids] }, person: { not: null } },
    select: { id: true, person: true },
  });
  return new Map(keys.map(({ id, person }) => [id, person]));
}
