import { fragment } from '@causeway/db';

/** The columns of an audit event that are the same for every statement; it adds `subject`, `action` and `detail`. */
export const AUDIT_COLUMNS = fragment`subject_id, actor, api_key_id, request_id, caller_request_id, occurred_at`;

/** Their values, as parameters of the statement (`auditValues`). */
export const AUDIT_VALUES = fragment`
  ${'id'}, ${'actor'}, ${'api_key_id'}, ${'request_id'}, ${'caller_request_id'}, ${'at'}`;

/** The same for a call of a grouped statement, and how to insert it from there. */
export const AUDIT_RECORD = fragment`
  id uuid, actor text, api_key_id uuid, request_id text, caller_request_id text, at timestamptz`;
export const AUDIT_FIELDS = fragment`id, actor, api_key_id, request_id, caller_request_id, at`;
