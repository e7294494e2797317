import type { UndocumentedFieldsMode } from '@causeway/contracts';
import { narrow, type RowOf, sql } from '@causeway/db';

export const IMPORT_SUPPLIER_CONFIGURATION = sql('import-supplier-configuration', {
  code: 'text',
  organisation_id: 'uuid',
  country: 'char',
  document_root: 'text',
  process_concurrency_limit: 'integer | null',
  undocumented_fields: narrow<UndocumentedFieldsMode>('text'),
  empty_means_omitted: 'boolean',
  statement_amount_unit: 'statement_amount_unit',
  account_types: 'text[]',
  balance_check: 'balance_check',
})`
  SELECT
    code,
    organisation_id,
    country,
    document_root,
    process_concurrency_limit,
    CASE
      WHEN reject_undocumented_fields THEN 'REJECT'
      WHEN keep_undocumented_fields THEN 'KEEP'
      ELSE 'REPORT'
    END AS undocumented_fields,
    empty_means_omitted,
    statement_amount_unit,
    account_types,
    balance_check
  FROM import_suppliers
  WHERE code = ${'code'}`;

/** A supplier's configuration. Its status is missing on purpose: it is checked inside each statement. */
export type ImportSupplierConfiguration = RowOf<typeof IMPORT_SUPPLIER_CONFIGURATION>;
