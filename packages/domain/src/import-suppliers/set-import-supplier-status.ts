import type { ImportSupplier, ImportSupplierStatus, SetImportSupplierStatusRequest } from '@causeway/contracts';
import { auditEvent } from '../audit/audit-event.ts';
import type { Context } from '../context.ts';
import { derivedId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';
import { importSupplierRecord } from './import-supplier-record.ts';
import { unknownImportSupplier } from './unknown-import-supplier.ts';

/**
 * Sets whether an import supplier takes accounts (specification 3.2): ONGOING and PAUSED change into each other and into
 * COMPLETE, and COMPLETE into ONGOING with a reason (design 7). Setting the status it has already changes nothing. Any
 * other change is `import_supplier_status_not_allowed`, an unknown code `import_supplier_does_not_exist`.
 */
export async function setImportSupplierStatus(
  context: Context,
  request: SetImportSupplierStatusRequest,
): Promise<ImportSupplier> {
  const { code, status, reason } = request;
  const row = await context.database.prisma.$transaction(async (tx) => {
    const where = { code, status: { in: statusesBefore(request) } };
    const [changed] = await tx.importSupplier.updateManyAndReturn({ where, data: { status } });
    if (changed !== undefined) {
      const change = {
        subjectId: derivedId('import_supplier', code),
        subject: 'import_supplier',
        action: 'status_set',
        detail: reason === undefined ? { status } : { status, reason },
      } as const;
      await tx.auditEvent.create({ data: auditEvent(context, change) });
    }
    return changed ?? (await tx.importSupplier.findUnique({ where: { code } }));
  });
  if (row === null) {
    throw unknownImportSupplier();
  }
  if (row.status !== status) {
    throw notAllowed(row.status, status);
  }
  context.importSuppliers.forget(code);
  return importSupplierRecord(context, row);
}

function statusesBefore({ status, reason }: SetImportSupplierStatusRequest): ImportSupplierStatus[] {
  switch (status) {
    case 'ONGOING':
      return reason === undefined ? ['PAUSED'] : ['PAUSED', 'COMPLETE'];
    case 'PAUSED':
      return ['ONGOING'];
    case 'COMPLETE':
      return ['ONGOING', 'PAUSED'];
  }
}

function notAllowed(present: ImportSupplierStatus, wanted: ImportSupplierStatus): DomainError {
  return present === 'COMPLETE' && wanted === 'ONGOING'
    ? new DomainError(
        'import_supplier_status_not_allowed',
        'This import supplier is COMPLETE: it becomes ONGOING again only with a reason.',
        { attr: 'reason' },
      )
    : new DomainError(
        'import_supplier_status_not_allowed',
        `An import supplier that is ${present} cannot become ${wanted}.`,
        { attr: 'status' },
      );
}
