import type { ImportSupplier } from '@causeway/contracts';
import { narrow, type RowOf, rawSql, sql } from '@causeway/db';
import { AUDITED } from '../shared/audit-values.ts';
import { EVENT_COLUMNS } from '../shared/events.sql.ts';

/** The settings of a supplier, except those that are for good and its status. */
const SETTINGS = {
  name: 'text',
  country: 'char',
  document_root: 'text',
  send_customer_emails: 'boolean',
  email_sender: 'text | null',
  email_unsubscribe: 'text | null',
  process_concurrency_limit: 'integer | null',
  reject_undocumented_fields: 'boolean',
  keep_undocumented_fields: 'boolean',
  empty_means_omitted: 'boolean',
  statement_amount_unit: 'statement_amount_unit',
  account_types: 'text[]',
  balance_check: 'balance_check',
  suspect_data: 'balance_check',
  suspect_data_by_code: narrow<ImportSupplier['suspect_data_by_code']>('jsonb'),
  zero_amounts: narrow<'KEEP' | 'OMIT'>('text'),
  undo_hours: 'integer',
  suppliers_may_undo: 'boolean',
  bulk_parallelism: 'integer',
} as const;

export const IMPORT_SUPPLIER_COLUMNS = {
  code: 'text',
  organisation_id: 'uuid',
  status: 'import_supplier_status',
  created_at: 'timestamptz',
  ...SETTINGS,
} as const;

export const SETTINGS_OF_SUPPLIER = rawSql(Object.keys(SETTINGS).join(', '));
export const IMPORT_SUPPLIER = rawSql(Object.keys(IMPORT_SUPPLIER_COLUMNS).join(', '));

export const READ_IMPORT_SUPPLIER = sql('read-import-supplier', IMPORT_SUPPLIER_COLUMNS)`
  SELECT ${IMPORT_SUPPLIER}
  FROM import_suppliers
  WHERE code = ${'code'}`;
export type ImportSupplierRow = RowOf<typeof READ_IMPORT_SUPPLIER>;

/** Those of one organisation or all, in the order of their codes. */
export const LIST_IMPORT_SUPPLIERS = sql('list-import-suppliers', IMPORT_SUPPLIER_COLUMNS)`
  SELECT ${IMPORT_SUPPLIER}
  FROM import_suppliers
  WHERE (${'organisation_id'}::uuid IS NULL OR organisation_id = ${'organisation_id'})
    AND (${'after'}::text IS NULL OR code > ${'after'})
  ORDER BY code
  LIMIT ${'limit'}`;

/** Waits for every call that stages or creates an account of the supplier, and blocks others until the end. */
export const LOCK_IMPORT_SUPPLIER = sql('lock-import-supplier', { lock_import_supplier: 'void' })`
  SELECT lock_import_supplier(${'code'})`;

/** Sets the `status` if the supplier has one of `statuses_before`; returns the supplier afterwards. */
export const SET_IMPORT_SUPPLIER_STATUS = sql('set-import-supplier-status', IMPORT_SUPPLIER_COLUMNS)`
  WITH before AS (
    SELECT status
    FROM import_suppliers
    WHERE code = ${'code'}
  ),
  changed AS (
    UPDATE import_suppliers
    SET status = ${'status'}::import_supplier_status
    WHERE code = ${'code'} AND status = ANY (${'statuses_before'}::import_supplier_status[])
    RETURNING ${IMPORT_SUPPLIER}
  ),
  audit AS (INSERT INTO audit_events ${AUDITED} 'import_supplier', 'status_set', ${'detail'}::jsonb FROM changed),
  event AS (
    INSERT INTO events (${EVENT_COLUMNS})
    SELECT code, 'import_supplier.status_changed',
      jsonb_build_object('status', changed.status, 'status_before', before.status), ${'at'}
    FROM changed, before
  )
  SELECT * FROM changed
  UNION ALL
  SELECT ${IMPORT_SUPPLIER}
  FROM import_suppliers
  WHERE code = ${'code'} AND NOT EXISTS (SELECT FROM changed)`;
