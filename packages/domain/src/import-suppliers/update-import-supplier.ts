import type { ImportSupplier, UpdateImportSupplierRequest } from '@causeway/contracts';
import { auditEvent } from '../shared/audit-event-records.ts';
import type { Context } from '../shared/context.ts';
import { derivedId } from '../shared/derived-id.ts';
import { isNothingToUpdate } from '../shared/errors.ts';
import { unknownImportSupplier } from '../shared/find-import-supplier.ts';
import {
  emailsNeedSender,
  importSupplierRecord,
  refuseWithoutMailServer,
  undocumentedFieldsColumns,
  whereEmailsCanBeSent,
} from './import-supplier-record.ts';

/**
 * Changes an import supplier's configuration; fields that are left out stay unchanged (behaviour 14.4). Other instances
 * apply the change within 5 seconds. An unknown code is `import_supplier_does_not_exist`. E-mails to customers are
 * `customer_emails_not_possible` without a mail server or a sender.
 */
export async function updateImportSupplier(
  context: Context,
  request: UpdateImportSupplierRequest,
): Promise<ImportSupplier> {
  const { prisma } = context.database;
  refuseWithoutMailServer(context, request);
  const { code, ...settings } = request;
  const sent = withoutUndefined(settings);
  const { undocumented_fields: mode, reject_undocumented_fields: reject, ...columns } = sent;
  const data = { ...columns, ...undocumentedFieldsColumns(mode, reject) };
  const change = {
    subjectId: derivedId('import_supplier', code),
    subject: 'import_supplier',
    action: 'updated',
    detail: sent,
  } as const;
  try {
    const [row] = await prisma.$transaction([
      prisma.importSupplier.update({ where: { code, ...whereEmailsCanBeSent(sent) }, data }),
      prisma.auditEvent.create({ data: auditEvent(context, change) }),
    ]);
    context.importSuppliers.forget(code);
    return importSupplierRecord(context, row);
  } catch (error) {
    if (!isNothingToUpdate(error)) throw error;
    throw (await prisma.importSupplier.count({ where: { code } })) === 0 ? unknownImportSupplier() : emailsNeedSender();
  }
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

function withoutUndefined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
