import type { AuditEvent } from '@causeway/contracts';
import type { AuditEvent as AuditEventRow } from '@causeway/db';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';

/** Events of an audit trail as the service team sees them, with the persons of the keys that were used (behaviour 24.1). */
export async function auditEventRecords(context: Context, rows: AuditEventRow[]): Promise<AuditEvent[]> {
  const persons = await personsOf(context, new Set(rows.flatMap(({ api_key_id }) => api_key_id ?? [])));
  return rows.map(({ id, action, actor, api_key_id, request_id, caller_request_id, detail, occurred_at }) => ({
    id: String(id),
    action,
    actor,
    api_key_id,
    person: persons.get(api_key_id) ?? null,
    request_id,
    caller_request_id,
    detail: detail as Record<string, unknown> | null,
    occurred_at: utcDatetime(occurred_at),
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
