import { sql } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_VALUES } from '../audit/audit.sql.ts';

/** Waits for other creations of the import supplier's: they are committed in the order of their places. */
export const LOCK_RECONCILIATIONS = sql('lock-reconciliations', { lock: 'void' })`
  SELECT pg_advisory_xact_lock(hashtextextended('reconciliations ' || ${'import_supplier_code'}, 0)) AS lock`;

/**
 * How many reconciliations of the import supplier have not ended; and how many accounts there are, of all import
 * suppliers, as PostgreSQL has it in its statistics.
 */
export const READ_RECONCILIATION_LIMITS = sql('read-reconciliation-limits', {
  unfinished: 'integer',
  all_accounts: 'double precision',
})`
  SELECT
    (
      SELECT count(*)::integer
      FROM reconciliations
      WHERE import_supplier_code = ${'import_supplier_code'}
        AND state IN ('PLANNING', 'RUNNING')
    ) AS unfinished,
    coalesce((
      SELECT reltuples
      FROM pg_class
      WHERE oid = 'account_imports'::regclass
    ), 0)::double precision AS all_accounts`;

/** With its ranges, the first of which is 1. */
export const CREATE_RECONCILIATION = sql('create-reconciliation')`
  WITH reconciliation AS (
    INSERT INTO reconciliations (id, import_supplier_code, manifest_id, created_by, created_at)
    VALUES (${'id'}, ${'import_supplier_code'}, ${'manifest_id'}, ${'api_key_id'}, ${'at'})
    RETURNING id
  ),
  range AS (
    INSERT INTO reconciliation_ranges (reconciliation_id, number, from_id, to_id)
    SELECT reconciliation.id, number, range.from_id, range.to_id
    FROM reconciliation, json_to_recordset(${'ranges'}::json) AS range (number integer, from_id uuid, to_id uuid)
  )
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
  SELECT ${AUDIT_VALUES}, 'reconciliation', 'created',
    jsonb_build_object('import_supplier', ${'import_supplier_code'}::text, 'manifest_id', ${'manifest_id'}::uuid)
  FROM reconciliation`;
