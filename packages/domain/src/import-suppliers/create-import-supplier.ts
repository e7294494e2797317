import type { CreateImportSupplierRequest, ImportSupplier } from '@causeway/contracts';
import { isUniqueViolation, sql } from '@causeway/db';
import { refuseUnknownOrganisation } from '../organisations/organisations.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { derivedId } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { IMPORT_SUPPLIER, IMPORT_SUPPLIER_COLUMNS } from './import-supplier.sql.ts';
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
  refuseWithoutMailServer(context, request);
  if (request.send_customer_emails && request.email_sender === null) throw emailsNeedSender();
  const { document_root = request.code, reject_undocumented_fields: reject = false, ...settings } = request;
  const { undocumented_fields = reject ? 'REJECT' : 'REPORT', ...columns } = settings;
  const audit = auditValues(context, derivedId('import_supplier', request.code));
  const mode = columnsOfMode(undocumented_fields);
  try {
    const [row] = await context.database.query(CREATE_IMPORT_SUPPLIER, {
      ...audit,
      columns: JSON.stringify({ ...columns, ...mode, document_root, status: 'ONGOING', created_at: audit.at }),
      detail: JSON.stringify({ ...settings, document_root, undocumented_fields }),
    });
    if (row === undefined) throw new Error('The statement has created nothing');
    context.importSuppliers.forget(request.code);
    return importSupplierRecord(context, row);
  } catch (error) {
    if (!isUniqueViolation(error)) refuseUnknownOrganisation(error);
    const detail = 'An import supplier with this code exists already.';
    throw new DomainError('import_supplier_already_exists', detail, { attr: 'code', cause: error });
  }
}

/** Creates a supplier from `columns`, which has all of them. */
const CREATE_IMPORT_SUPPLIER = sql('create-import-supplier', IMPORT_SUPPLIER_COLUMNS)`
  WITH created AS (
    INSERT INTO import_suppliers (${IMPORT_SUPPLIER})
    SELECT ${IMPORT_SUPPLIER}
    FROM jsonb_populate_record(NULL::import_suppliers, ${'columns'}::jsonb)
    RETURNING ${IMPORT_SUPPLIER}
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'import_supplier', 'created', ${'detail'}::jsonb
  )
  SELECT * FROM created`;
