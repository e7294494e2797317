import type { ImportSupplier, ImportSupplierStatus, SetImportSupplierStatusRequest } from '@causeway/contracts';
import { type ImportSupplier as ImportSupplierRow, statement } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { derivedId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';
import { importSupplierRecord } from './import-supplier-record.ts';
import { unknownImportSupplier } from './unknown-import-supplier.ts';

const LOCK_IMPORT_SUPPLIER = statement('lock-import-supplier', 'SELECT lock_import_supplier($1)');

const SET_IMPORT_SUPPLIER_STATUS = statement(
  'set-import-supplier-status',
  `WITH changed AS (
    UPDATE import_suppliers SET status = $7::import_supplier_status
    WHERE code = $6 AND status = ANY ($8::import_supplier_status[])
    RETURNING *
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'import_supplier', 'status_set', $9::jsonb FROM changed
  )
  SELECT * FROM changed
  UNION ALL
  SELECT * FROM import_suppliers WHERE code = $6 AND NOT EXISTS (SELECT FROM changed)`,
);

/**
 * Sets whether an import supplier takes accounts (specification 3.2): ONGOING and PAUSED change into each other and into
 * COMPLETE, and COMPLETE into ONGOING with a reason. It waits for the calls that stage or create an account of the
 * supplier, and they wait for it: once it is answered, none is under way that saw another status. Setting the status it
 * has already changes nothing. Any other change is `import_supplier_status_not_allowed`, an unknown code
 * `import_supplier_does_not_exist`.
 */
export async function setImportSupplierStatus(
  context: Context,
  request: SetImportSupplierStatusRequest,
): Promise<ImportSupplier> {
  const { code, status, reason } = request;
  const detail = JSON.stringify(reason === undefined ? { status } : { status, reason });
  const audit = auditValues(context, derivedId('import_supplier', code));
  const [row] = await context.database.transaction(async (transaction) => {
    await transaction.query(LOCK_IMPORT_SUPPLIER, [code]);
    const values = [...audit, code, status, statusesBefore(request), detail];
    return transaction.query<ImportSupplierRow>(SET_IMPORT_SUPPLIER_STATUS, values);
  });
  if (row === undefined) {
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
