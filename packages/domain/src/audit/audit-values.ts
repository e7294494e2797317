import type { Actor, Context } from '../context.ts';

/** What every statement that writes is told for its audit event: `AUDIT_VALUES`, or a grouped call's `AUDIT_RECORD`. */
export interface AuditValues {
  /** The subject, mostly an account import: what is written to, too. */
  id: string;
  actor: string;
  api_key_id: string;
  /** The service's own, and the one that the caller gave. */
  request_id: string;
  caller_request_id: string | null;
  /** The time of the change. */
  at: Date;
}

/** Each statement writes its audit event with the change itself, by these values. */
export function auditValues(context: Context, id: string): AuditValues {
  const { actor, requestId: request_id, callerRequestId: caller_request_id = null } = context;
  return {
    id,
    actor: actorText(actor),
    api_key_id: actor.apiKeyId,
    request_id,
    caller_request_id,
    at: context.clock(),
  };
}

/** Who acted, as audit events have it: `supplier` of an organisation, as it is called outside. */
export function actorText({ kind }: Actor): string {
  return kind === 'organisation' ? 'supplier' : kind;
}
