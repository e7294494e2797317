import type {
  ImportSupplier,
  ImportSupplierStatus,
  ReadinessCondition,
  SetImportSupplierStatusRequest,
} from '@causeway/contracts';
import type { Queryable } from '@causeway/db';
import { LOCK_IMPORT_SUPPLIER, SET_IMPORT_SUPPLIER_STATUS } from '../import-suppliers/import-supplier.sql.ts';
import { importSupplierRecord } from '../import-suppliers/import-supplier-record.ts';
import { auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { derivedId } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { unknownImportSupplier } from '../shared/find-import-supplier.ts';
import { readConditions } from './read-readiness.ts';

/**
 * Sets whether an import supplier accepts accounts (behaviour 3.2): ONGOING and PAUSED change into each other and into
 * COMPLETE, and COMPLETE into ONGOING with a reason. It waits for the calls that stage or create an account of the
 * supplier, and they wait for it: once it is answered, no call in flight has read another status. Setting the current
 * status again changes nothing. COMPLETE while conditions of readiness are not met (behaviour 24.2) needs a reason, and
 * the trail names them; without one it is `import_supplier_not_ready`. Any other change is
 * `import_supplier_status_not_allowed`, an unknown code `import_supplier_does_not_exist`.
 */
export async function setImportSupplierStatus(
  context: Context,
  request: SetImportSupplierStatusRequest,
): Promise<ImportSupplier> {
  const { code, status, reason } = request;
  const audit = auditValues(context, derivedId('import_supplier', code));
  const { row, missing } = await context.database.transaction(async (transaction) => {
    await transaction.query(LOCK_IMPORT_SUPPLIER, { code });
    const missing = status === 'COMPLETE' ? await missingConditions(transaction, code) : [];
    const isReady = missing.length === 0 || reason !== undefined;
    const detail = { status, reason, ...(missing.length > 0 && { missing: missing.map(({ name }) => name) }) };
    const [row] = await transaction.query(SET_IMPORT_SUPPLIER_STATUS, {
      ...audit,
      code,
      status,
      statuses_before: isReady ? statusesBefore(request) : [],
      detail: JSON.stringify(detail),
    });
    return { row, missing };
  });
  if (row === undefined) {
    throw unknownImportSupplier();
  }
  if (row.status !== status) {
    throw status === 'COMPLETE' ? notReady(missing) : notAllowed(row.status, status);
  }
  context.importSuppliers.forget(code);
  return importSupplierRecord(context, row);
}

async function missingConditions(transaction: Queryable, code: string): Promise<ReadinessCondition[]> {
  return (await readConditions(transaction, code)).filter(({ ok }) => !ok);
}

function notReady(missing: ReadinessCondition[]): DomainError {
  const sentences = missing.map(({ sentence }) => sentence);
  return new DomainError(
    'import_supplier_not_ready',
    `The import supplier is not ready: send a reason to complete it anyway. ${sentences.join(' ')}`,
    {
      attr: 'reason',
    },
  );
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
