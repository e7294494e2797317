import { type RowOf, sql } from '@causeway/db';

export const IMPORT_SUPPLIER_CONFIGURATION = sql('import-supplier-configuration', {
  code: 'text',
  organisation_id: 'uuid',
  country: 'char',
  document_root: 'text',
  reject_undocumented_fields: 'boolean',
})`
  SELECT code, organisation_id, country, document_root, reject_undocumented_fields
  FROM import_suppliers
  WHERE code = ${'code'}`;

/** A supplier's configuration. Its status is missing on purpose: it is checked inside each statement. */
export type ImportSupplierConfiguration = RowOf<typeof IMPORT_SUPPLIER_CONFIGURATION>;
