import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../shared/audit-values.ts';
import { EVENT_COLUMNS } from '../shared/events.sql.ts';

/** Waits for every call that stages or creates an account of the supplier, and blocks others until the end. */
export const LOCK_IMPORT_SUPPLIER = sql('lock-import-supplier', { lock_import_supplier: 'void' })`
  SELECT lock_import_supplier(${'code'})`;

/** Sets the `status` if the supplier has one of `statuses_before`; returns the supplier afterwards. */
export const SET_IMPORT_SUPPLIER_STATUS = sql('set-import-supplier-status', {
  code: 'text',
  organisation_id: 'uuid',
  name: 'text',
  status: 'import_supplier_status',
  country: 'char',
  document_root: 'text',
  send_customer_emails: 'boolean',
  process_concurrency_limit: 'integer | null',
  reject_undocumented_fields: 'boolean',
  created_at: 'timestamptz',
  account_types: 'text[]',
  balance_check: 'balance_check',
  empty_means_omitted: 'boolean',
  keep_undocumented_fields: 'boolean',
  statement_amount_unit: 'statement_amount_unit',
  bulk_parallelism: 'integer',
  email_sender: 'text | null',
  email_unsubscribe: 'text | null',
})`
  WITH before AS (
    SELECT status
    FROM import_suppliers
    WHERE code = ${'code'}
  ),
  changed AS (
    UPDATE import_suppliers
    SET status = ${'status'}::import_supplier_status
    WHERE code = ${'code'} AND status = ANY (${'statuses_before'}::import_supplier_status[])
    RETURNING *
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'import_supplier', 'status_set', ${'detail'}::jsonb
    FROM changed
  ),
  event AS (
    INSERT INTO events (${EVENT_COLUMNS})
    SELECT code, 'import_supplier.status_changed',
      jsonb_build_object('status', changed.status, 'status_before', before.status), ${'at'}
    FROM changed, before
  )
  SELECT * FROM changed
  UNION ALL
  SELECT * FROM import_suppliers
  WHERE code = ${'code'} AND NOT EXISTS (SELECT FROM changed)`;
