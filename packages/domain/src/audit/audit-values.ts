import type { Context } from '../context.ts';

/** The audit columns that `AUDIT_VALUES` fills, in its order; a statement adds `subject`, `action` and `detail`. */
export const AUDIT_COLUMNS = 'subject_id, actor, api_key_id, request_id, caller_request_id, occurred_at';

/** The audit columns of a statement that begins with `auditValues`. */
export const AUDIT_VALUES = '$1, $2, $3, ($4::text[])[1], ($4::text[])[2], $5';

/**
 * The first five values of every writing statement: the subject, mostly an account import ($1), who ($2, $3), which
 * request ($4: the service's id of it and the caller's) and the time of the change ($5). Each statement writes its
 * audit row from them with the change itself.
 */
export function auditValues(context: Context, subjectId: string): AuditValues {
  const { actor, requestId, callerRequestId = null } = context;
  return [subjectId, actor.kind, actor.apiKeyId, [requestId, callerRequestId], context.clock()];
}
type AuditValues = [string, string, string, [string, string | null], Date];

/** The same for a call of a grouped statement: the fields that `AUDIT_RECORD` reads, to insert as `AUDIT_FIELDS`. */
export interface AuditRecord {
  id: string;
  actor: string;
  api_key_id: string;
  request_id: string;
  caller_request_id: string | null;
  at: Date;
}
export const AUDIT_RECORD =
  'id uuid, actor text, api_key_id uuid, request_id text, caller_request_id text, at timestamptz';
export const AUDIT_FIELDS = 'id, actor, api_key_id, request_id, caller_request_id, at';

/** The fields of `AUDIT_RECORD` for a call on this account import. */
export function auditRecord(context: Context, accountImportId: string): AuditRecord {
  const [id, actor, api_key_id, [request_id, caller_request_id], at] = auditValues(context, accountImportId);
  return { id, actor, api_key_id, request_id, caller_request_id, at };
}
