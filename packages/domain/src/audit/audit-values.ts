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
