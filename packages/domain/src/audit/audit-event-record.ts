import type { AuditEvent } from '@causeway/contracts';
import type { AuditEvent as AuditEventRow } from '@causeway/db';
import { utcDatetime } from '../dates.ts';

/** An event of an audit trail as the service team sees it. */
export function auditEventRecord(row: AuditEventRow): AuditEvent {
  const { id, action, actor, api_key_id, request_id, caller_request_id, detail, occurred_at } = row;
  return {
    id: String(id),
    action,
    actor,
    api_key_id,
    request_id,
    caller_request_id,
    detail: detail as Record<string, unknown> | null,
    occurred_at: utcDatetime(occurred_at),
  };
}
