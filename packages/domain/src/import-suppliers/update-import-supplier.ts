import type { ImportSupplier, UpdateImportSupplierRequest } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { isToldOfSharing } from '../refusals/compare-meter-points.sql.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { derivedId } from '../shared/derived-id.ts';
import { unknownImportSupplier } from '../shared/find-import-supplier.ts';
import {
  IMPORT_SUPPLIER,
  IMPORT_SUPPLIER_COLUMNS,
  READ_IMPORT_SUPPLIER,
  SETTINGS_OF_SUPPLIER,
} from './import-supplier.sql.ts';
import {
  emailsNeedSender,
  importSupplierRecord,
  neededBefore,
  refuseWithoutMailServer,
  undocumentedFieldsColumns,
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
  refuseWithoutMailServer(context, request);
  const { database, importSuppliers } = context;
  const { code, ...sent } = request;
  const { undocumented_fields: mode, reject_undocumented_fields: reject, ...columns } = sent;
  const [row] = await database.query(UPDATE_IMPORT_SUPPLIER, {
    ...auditValues(context, derivedId('import_supplier', code)),
    code,
    columns: JSON.stringify({ ...columns, ...undocumentedFieldsColumns(mode, reject) }),
    ...neededBefore(sent),
    detail: JSON.stringify(sent),
  });
  if (row === undefined) {
    const [present] = await database.query(READ_IMPORT_SUPPLIER, { code });
    throw present === undefined ? unknownImportSupplier() : emailsNeedSender();
  }
  importSuppliers.forget(code);
  return importSupplierRecord(context, row);
}

/**
 * Changes the settings that `columns` has, unless they would leave e-mails without a sender. Where they decide otherwise
 * about shared meter points, all accounts are compared once more.
 */
const UPDATE_IMPORT_SUPPLIER = sql('update-import-supplier', IMPORT_SUPPLIER_COLUMNS)`
  WITH changed AS (
    UPDATE import_suppliers AS supplier
    SET (${SETTINGS_OF_SUPPLIER}) = (
      SELECT ${SETTINGS_OF_SUPPLIER}
      FROM jsonb_populate_record(supplier, ${'columns'}::jsonb)
    )
    WHERE code = ${'code'}
      AND (NOT send_customer_emails OR NOT ${'needs_no_emails'}::boolean)
      AND (email_sender IS NOT NULL OR NOT ${'needs_sender'}::boolean)
    RETURNING ${IMPORT_SUPPLIER}
  ),
  compared_again AS (
    INSERT INTO meter_point_cursors (import_supplier_code, staging_order)
    SELECT changed.code, 0
    FROM changed
    JOIN import_suppliers AS former ON former.code = changed.code
    WHERE (${isToldOfSharing('changed')}) <> (${isToldOfSharing('former')})
    ON CONFLICT (import_supplier_code) DO UPDATE SET staging_order = 0
  ),
  audit AS (INSERT INTO audit_events ${AUDITED} 'import_supplier', 'updated', ${'detail'}::jsonb FROM changed)
  SELECT * FROM changed`;
