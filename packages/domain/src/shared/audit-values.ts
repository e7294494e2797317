import { type Fragment, fragment } from '@causeway/db';
import type { Actor } from './actor.ts';
import type { Context } from './context.ts';

/** What every writing statement receives for its audit event: `AUDITED`, or a grouped call's `AUDIT_RECORD`. */
export interface AuditValues {
  /** The subject, usually the account import that is written to. */
  id: string;
  actor: string;
  api_key_id: string;
  /** The service's own request id, and the caller's. */
  request_id: string;
  caller_request_id: string | null;
  /** The time of the change, as ISO 8601 has it: JSON with a Date in it takes three times as long to write. */
  at: string;
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
    at: context.clock().toISOString(),
  };
}

/** Who acted, as audit events have it: `supplier` of an organisation, as it is called outside. */
export function actorText({ kind }: Actor): string {
  return kind === 'organisation' ? 'supplier' : kind;
}

const COLUMNS = fragment`subject_id, actor, api_key_id, request_id, caller_request_id, occurred_at`;

/**
 * What a statement inserts into `audit_events` together with its change, from the parameters of `auditValues`. Its
 * subject, action and detail follow: `INSERT INTO audit_events ${AUDITED} 'manifest', 'sealed', NULL FROM changed`.
 */
export const AUDITED = auditedOf(fragment`${'id'}`);

/** The same for subjects of which the statement knows the ids. */
export function auditedOf<Name extends string>(subjectId: Fragment<Name>) {
  return fragment`(${COLUMNS}, subject, action, detail)
    SELECT ${subjectId}, ${'actor'}, ${'api_key_id'}::uuid, ${'request_id'}, ${'caller_request_id'}, ${'at'},`;
}

/** The same for a call of a grouped statement, and how to insert it from there. */
export const AUDIT_RECORD = fragment`
  id uuid, actor text, api_key_id uuid, request_id text, caller_request_id text, at timestamptz`;
export const AUDITED_CALL = fragment`(${COLUMNS}, subject, action, detail)
    SELECT id, actor, api_key_id, request_id, caller_request_id, at,`;
