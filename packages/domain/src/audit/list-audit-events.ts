import { type AuditEvent, LIMITS, type ListAuditEventsRequest } from '@causeway/contracts';
import { accountImportNotFound } from '../account-imports/staff-account-import.ts';
import type { Context } from '../context.ts';
import { accountImportId, derivedId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';
import { unknownImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { noManifest } from '../manifests/get-manifest.ts';
import { noReconciliation } from '../reconciliations/sign-off-reconciliation.ts';
import { noWebhookEndpoint } from '../webhooks/find-webhook-endpoint.ts';
import { auditEventRecords } from './audit-event-records.ts';

/**
 * The audit trail of one subject, oldest first (behaviour 14.7): `limit` events after the event `after`. A subject that
 * was never created is refused: `organisation_does_not_exist`, `api_key_does_not_exist`,
 * `operations_team_does_not_exist`, `bulk_job_does_not_exist`, `manifest_does_not_exist`,
 * `reconciliation_does_not_exist`, `import_supplier_does_not_exist` or `account_not_found`.
 */
export async function listAuditEvents(context: Context, request: ListAuditEventsRequest): Promise<AuditEvent[]> {
  const { subject, limit = LIMITS.audit_trail, after } = request;
  const rows = await context.database.prisma.auditEvent.findMany({
    where: {
      subject_id: subjectIdOf(request),
      subject,
      ...(after === undefined ? {} : { id: { gt: BigInt(after) } }),
    },
    orderBy: { id: 'asc' },
    take: limit,
  });
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
