import type { CreateImportSupplierRequest, ImportSupplier } from '@causeway/contracts';
import { isUniqueViolation } from '@causeway/db';
import { auditEvent } from '../shared/audit-event-records.ts';
import type { Context } from '../shared/context.ts';
import { derivedId } from '../shared/derived-id.ts';
import { DomainError, isUnknownReference } from '../shared/errors.ts';
import {
  columnsOfMode,
  emailsNeedSender,
  importSupplierRecord,
  refuseWithoutMailServer,
} from './import-supplier-record.ts';

/**
 * Creates an import supplier of an organisation, Ongoing from the start (behaviour 3.2, 14.4). The default document
 * root is its code. Codes are unique over all organisations: a second one is `import_supplier_already_exists`. An
 * organisation that was never created is `organisation_does_not_exist`. E-mails to customers are
 * `customer_emails_not_possible` without a mail server or a sender.
 */
export async function createImportSupplier(
  context: Context,
  request: CreateImportSupplierRequest,
): Promise<ImportSupplier> {
  const { prisma } = context.database;
  refuseWithoutMailServer(context, request);
  if (request.send_customer_emails && request.email_sender === null) throw emailsNeedSender();
  const { document_root = request.code, reject_undocumented_fields: reject = false, ...settings } = request;
  const { undocumented_fields = reject ? 'REJECT' : 'REPORT', ...columns } = settings;
  const change = {
    subjectId: derivedId('import_supplier', request.code),
    subject: 'import_supplier',
    action: 'created',
    detail: { ...settings, document_root, undocumented_fields },
  } as const;
  try {
    const data = {
      ...columns,
      document_root,
      ...columnsOfMode(undocumented_fields),
      created_at: context.clock(),
    };
    const [row] = await prisma.$transaction([
      prisma.importSupplier.create({ data }),
      prisma.auditEvent.create({ data: auditEvent(context, change) }),
    ]);
    context.importSuppliers.forget(request.code);
    return importSupplierRecord(context, row);
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (isUniqueViolation(error)) {
    const detail = 'An import supplier with this code exists already.';
    return new DomainError('import_supplier_already_exists', detail, { attr: 'code', cause: error });
  }
  if (isUnknownReference(error)) {
    const detail = 'There is no organisation with this id.';
    return new DomainError('organisation_does_not_exist', detail, { attr: 'organisation_id', cause: error });
  }
  return error;
}
