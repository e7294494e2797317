import { fragment } from '@causeway/db';
import type { Actor } from './actor.ts';
import type { Context } from './context.ts';

/** What every writing statement receives for its audit event: `AUDIT_VALUES`, or a grouped call's `AUDIT_RECORD`. */
export interface AuditValues {
  /** The subject, usually the account import that is written to. */
  id: string;
  actor: string;
  api_key_id: string;
  /** The service's own request id, and the caller's. */
  request_id: string;
  caller_request_id: string | null;
  /** The time of the change. */
  at: Date;
}

/** The values with which each statement writes its audit event together with the change. */
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

/** The columns of an audit event that are the same for every statement; it adds `subject`, `action` and `detail`. */
export const AUDIT_COLUMNS = fragment`subject_id, actor, api_key_id, request_id, caller_request_id, occurred_at`;

/** Their values, as parameters of the statement (`auditValues`). */
export const AUDIT_VALUES = fragment`
  ${'id'}, ${'actor'}, ${'api_key_id'}, ${'request_id'}, ${'caller_request_id'}, ${'at'}`;

/** The same for a call of a grouped statement, and how to insert it from there. */
export const AUDIT_RECORD = fragment`
  id uuid, actor text, api_key_id uuid, request_id text, caller_request_id text, at timestamptz`;
export const AUDIT_FIELDS = fragment`id, actor, api_key_id, request_id, caller_request_id, at`;
