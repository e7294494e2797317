import {
  type AuditEvent,
  LIMITS,
  type ListAuditEventsRequest,
  type ListStaffEventsRequest,
  type StaffEvent,
} from '@causeway/contracts';
import { narrow, selectList, sql } from '@causeway/db';
import { accountImportNotFound } from '../account-imports/staff-account-import.ts';
import { noManifest } from '../manifests/get-manifest.ts';
import { noReconciliation } from '../reconciliations/sign-off-reconciliation.ts';
import { mayOnlyRead } from '../shared/actor.ts';
import { auditEventRecords, LIST_AUDIT_EVENTS, maskDetail } from '../shared/audit-event-records.ts';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { accountImportId, derivedId } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { unknownImportSupplier } from '../shared/find-import-supplier.ts';
import { noWebhookEndpoint } from '../webhooks/find-webhook-endpoint.ts';

/**
 * The audit trail of one subject, oldest first (behaviour 14.7): `limit` events after the event `after`. A subject that
 * was never created is refused: `organisation_does_not_exist`, `api_key_does_not_exist`,
 * `operations_team_does_not_exist`, `bulk_job_does_not_exist`, `manifest_does_not_exist`,
 * `reconciliation_does_not_exist`, `import_supplier_does_not_exist` or `account_not_found`.
 */
export async function listAuditEvents(context: Context, request: ListAuditEventsRequest): Promise<AuditEvent[]> {
  const { subject, limit = LIMITS.audit_trail, after } = request;
  const values = { id: subjectIdOf(request), subject, after: after ?? '0', limit };
  const rows = await context.database.query(LIST_AUDIT_EVENTS, values);
  if (rows.length === 0 && after === undefined) {
    throw unknownSubject(request);
  }
  return auditEventRecords(context, rows);
}

function subjectIdOf(request: ListAuditEventsRequest): string {
  switch (request.subject) {
    case 'import_supplier':
      return derivedId('import_supplier', request.code);
    case 'account_import':
      return accountImportId(request.code, request.external_account_number);
    default:
      return request.id;
  }
}

function unknownSubject({ subject }: ListAuditEventsRequest): DomainError {
  switch (subject) {
    case 'import_supplier':
      return unknownImportSupplier();
    case 'account_import':
      return accountImportNotFound();
    case 'organisation':
      return new DomainError('organisation_does_not_exist', 'There is no organisation with this id.', { attr: 'id' });
    case 'api_key':
      return new DomainError('api_key_does_not_exist', 'There is no API key with this id.', { attr: 'id' });
    case 'bulk_job':
      return new DomainError('bulk_job_does_not_exist', 'There is no bulk job with this id.', { attr: 'id' });
    case 'manifest':
      return noManifest('id');
    case 'reconciliation':
      return noReconciliation('id');
    case 'webhook_endpoint':
      return noWebhookEndpoint('id');
    case 'operations_team':
      return new DomainError('operations_team_does_not_exist', 'There is no operations team with this id.', {
        attr: 'id',
      });
  }
}

/** PostgreSQL's largest bigint. */
const AFTER_ALL = '9223372036854775807';

/**
 * What the service team did, or what was done with one key, newest first (behaviour 14.7.4): `limit` events before the
 * event `before`. What it takes depends on the page and on the number of keys, not of events.
 */
export async function listStaffEvents(
  context: Context,
  { api_key_id, limit = LIMITS.audit_trail, before = AFTER_ALL }: ListStaffEventsRequest,
): Promise<StaffEvent[]> {
  const { database } = context;
  const masked = mayOnlyRead(context);
  const rows = await database.query(LIST_STAFF_EVENTS, { api_key_id: api_key_id ?? null, limit, before });
  const suppliers = await database.query(LIST_SUPPLIER_CODES, {});
  const codes = new Map(suppliers.map(({ code }) => [derivedId('import_supplier', code), code]));
  return rows.map(({ code, ...row }) => ({
    ...withUtcDatetimes(row),
    detail: masked ? maskDetail(row) : row.detail,
    actor: 'staff',
    code: code ?? (row.subject === 'import_supplier' ? (codes.get(row.subject_id) ?? null) : null),
  }));
}

const STAFF_EVENT = {
  id: 'bigint',
  action: 'text',
  api_key_id: 'uuid | null',
  person: 'text | null',
  request_id: 'text',
  caller_request_id: 'text | null',
  detail: narrow<Record<string, unknown> | null>('jsonb | null'),
  occurred_at: 'timestamptz',
  subject: 'text',
  subject_id: 'uuid',
  code: 'text | null',
  external_account_number: 'text | null',
} as const;

/** What was done with the keys of the service team, newest first: of each key a range of their index. */
export const LIST_STAFF_EVENTS = sql('list-staff-events', STAFF_EVENT)`
  SELECT ${selectList(STAFF_EVENT, 'event', {
    code: 'import.import_supplier_code',
    external_account_number: 'import.external_account_number',
  })}
  FROM (
    SELECT recent.*, key.person
    FROM api_keys AS key
    CROSS JOIN LATERAL (
      SELECT *
      FROM audit_events
      WHERE actor = 'staff' AND api_key_id = key.id AND id < ${'before'}
      ORDER BY id DESC
      LIMIT ${'limit'}
    ) AS recent
    WHERE key.organisation_id IS NULL AND (${'api_key_id'}::uuid IS NULL OR key.id = ${'api_key_id'})
    ORDER BY recent.id DESC
    LIMIT ${'limit'}
  ) AS event
  LEFT JOIN account_imports AS import ON event.subject = 'account_import' AND import.id = event.subject_id
  ORDER BY event.id DESC`;

const LIST_SUPPLIER_CODES = sql('list-supplier-codes', { code: 'text' })`
  SELECT code
  FROM import_suppliers`;
