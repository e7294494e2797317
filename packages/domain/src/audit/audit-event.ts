import type { Prisma } from '@causeway/db';
import type { Context } from '../context.ts';
import { actorText } from './audit-values.ts';

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
