import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** Waits for other creations of the import supplier's manifests: they are committed in the order of their places. */
export const LOCK_MANIFESTS = sql('lock-manifests', { lock: 'void' })`
  SELECT pg_advisory_xact_lock(hashtextextended('manifests ' || ${'import_supplier_code'}, 0)) AS lock`;

export const COUNT_MANIFESTS = sql('count-manifests', { manifests: 'integer' })`
  SELECT count(*)::integer AS manifests
  FROM manifests
  WHERE import_supplier_code = ${'import_supplier_code'} AND state <> 'WITHDRAWN'`;

export const CREATE_MANIFEST = sql('create-manifest')`
  WITH manifest AS (
    INSERT INTO manifests
      (id, import_supplier_code, source_system, as_of, totals, accounts, computed_from_book, created_by, created_at)
    VALUES (
      ${'id'}, ${'import_supplier_code'}, ${'source_system'}, ${'as_of'}, ${'totals'}::jsonb, ${'accounts'},
      ${'computed_from_book'}, ${'api_key_id'}, ${'at'}
    )
    RETURNING import_supplier_code, source_system, totals, computed_from_book
  )
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  SELECT ${AUDIT_VALUES}, 'manifest', 'created', jsonb_build_object(
    'import_supplier', import_supplier_code, 'source_system', source_system, 'totals', totals,
    'computed_from_book', computed_from_book)
  FROM manifest`;
