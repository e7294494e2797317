import { type AuditEvent, MASK } from '@causeway/contracts';
import type { AuditEvent as AuditEventRow, Prisma } from '@causeway/db';
import { actorText } from './audit-values.ts';
import type { Context } from './context.ts';
import { utcDatetime } from './dates.ts';
import { mayOnlyRead } from './read-only.ts';
import { withoutMadeUpNames } from './refused-fields.ts';

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

/** One change: `subject` is the kind of thing, `subjectId` its UUID or the id derived from its name. */
export interface AuditedChange {
  subjectId: string;
  subject: 'organisation' | 'api_key' | 'import_supplier' | 'operations_team';
  action: string;
  detail?: Prisma.InputJsonObject;
}

/** The audit row of a staff change, for Prisma to write in the change's own transaction (behaviour 14.7). */
export function auditEvent(context: Context, change: AuditedChange): Prisma.AuditEventCreateManyInput {
  const { subjectId, subject, action, detail } = change;
  return {
    subject_id: subjectId,
    subject,
    action,
    actor: actorText(context.actor),
    api_key_id: context.actor.apiKeyId,
    request_id: context.requestId,
    caller_request_id: context.callerRequestId ?? null,
    occurred_at: context.clock(),
    ...(detail === undefined ? {} : { detail }),
  };
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
