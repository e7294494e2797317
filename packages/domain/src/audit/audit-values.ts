import type { Context } from '../context.ts';

/** The audit columns that `auditValues` fills, in its order; a statement adds `subject`, `action` and `detail`. */
export const AUDIT_COLUMNS = 'subject_id, actor, api_key_id, request_id, occurred_at';

/**
 * The first five values of every writing statement: the account import ($1), who ($2, $3), which request ($4) and
 * the time of the change ($5). Each statement writes its audit row from them with the change itself.
 */
export function auditValues(context: Context, accountImportId: string): [string, string, string, string, Date] {
  const { actor, requestId } = context;
  return [accountImportId, actor.kind, actor.apiKeyId, requestId, context.clock()];
}

/** The same for a call of a grouped statement: the fields that `AUDIT_RECORD` reads, to insert as `AUDIT_FIELDS`. */
export interface AuditRecord {
  id: string;
  actor: string;
  api_key_id: string;
  request_id: string;
  at: Date;
}
export const AUDIT_RECORD = 'id uuid, actor text, api_key_id uuid, request_id text, at timestamptz';
export const AUDIT_FIELDS = 'id, actor, api_key_id, request_id, at';

/** The fields of `AUDIT_RECORD` for a call on this account import. */
export function auditRecord(context: Context, accountImportId: string): AuditRecord {
  const [id, actor, api_key_id, request_id, at] = auditValues(context, accountImportId);
  return { id, actor, api_key_id, request_id, at };
}
