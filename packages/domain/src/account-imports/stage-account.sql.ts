import { sql } from '@causeway/db';
import { settleRefusals } from '../refusals/settle.ts';
import { AUDIT_RECORD, AUDITED_CALL } from '../shared/audit-values.ts';
import { ACCOUNT_EVENT_COLUMNS } from '../shared/events.sql.ts';

/**
 * One statement for all concurrent calls: the conditional writes and their audit rows share a snapshot and a commit.
 * Rows locked by others are skipped unless the call `may_wait`: a neighbour must not wait.
 * - `supplier`: locked first, so that no status changes while the statement runs (always in the same order, and before
 *   the rows). Its status is null while another call changes it.
 * - `known`: the account imports that are already stored; `free`: those of them that were not locked by others, now
 *   locked.
 * - `staged`: the rows written, with the number of stagings so far: 1 the first time.
 *
 * - `event`: read before the reports are remembered, so that an account is staged before something is remarked about it.
 *
 * It returns a row for each call; `times_staged` is null if nothing was written. What is written settles
 * staging, validation and a refused line.
 */
export const STAGE_ACCOUNTS = sql('stage-accounts', {
  id: 'uuid',
  supplier_status: 'import_supplier_status | null',
  times_staged: 'integer | null',
  busy: 'boolean',
  settled: 'void | null',
})`
  WITH input AS MATERIALIZED (
    SELECT *
    FROM json_to_recordset(${'calls'}::json) AS input (${AUDIT_RECORD},
      import_supplier_code text, external_account_number text, payload jsonb, kept_fields json, reports json)
  ),
  supplier AS MATERIALIZED (
    SELECT code, share_import_supplier(code, ${'may_wait'}) AS status
    FROM (SELECT DISTINCT import_supplier_code AS code FROM input ORDER BY code) AS named
  ),
  known AS MATERIALIZED (
    SELECT id
    FROM account_imports
    WHERE id = ANY (ARRAY(SELECT id FROM input JOIN supplier ON code = import_supplier_code))
  ),
  free AS MATERIALIZED (
    SELECT id
    FROM account_imports
    WHERE id = ANY (ARRAY(SELECT id FROM known))
    FOR UPDATE SKIP LOCKED
  ),
  staged AS (
    INSERT INTO account_imports AS import
      (id, import_supplier_code, external_account_number, state, payload, kept_fields, staged_at, updated_at)
    SELECT id, import_supplier_code, external_account_number, 'STAGED', payload, kept_fields, at, at
    FROM input
    JOIN supplier ON code = import_supplier_code
    WHERE status = 'ONGOING'
      AND (${'may_wait'} OR id IN (SELECT id FROM free) OR id NOT IN (SELECT id FROM known))
    ORDER BY id
    ON CONFLICT (id) DO UPDATE SET
      state = 'STAGED',
      payload = excluded.payload,
      kept_fields = excluded.kept_fields,
      times_staged = import.times_staged + 1,
      payload_removed_at = NULL,
      last_error = NULL,
      failed_at = NULL,
      updated_at = excluded.updated_at
    WHERE import.state IN ('STAGED', 'FAILED', 'UNDONE')
      AND import.import_supplier_code = excluded.import_supplier_code
      AND import.external_account_number = excluded.external_account_number
    RETURNING id, times_staged
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED_CALL} 'account_import',
      CASE times_staged WHEN 1 THEN 'staged' ELSE 'staged_again' END, NULL
    FROM staged
    JOIN input USING (id)
  ),
  event AS (
    INSERT INTO events (${ACCOUNT_EVENT_COLUMNS})
    SELECT import_supplier_code, 'account.staged', external_account_number, NULL,
      jsonb_build_object('times_staged', times_staged), at
    FROM staged
    JOIN input USING (id)
    RETURNING 1
  )
  SELECT
    id,
    status AS supplier_status,
    times_staged,
    NOT ${'may_wait'}
      AND (status IS NULL OR (id IN (SELECT id FROM known) AND id NOT IN (SELECT id FROM free))) AS busy,
    CASE WHEN times_staged > 0 AND (SELECT count(*) FROM event) > 0 THEN ${settleRefusals(['stage', 'validate'])} END AS settled
  FROM input
  JOIN supplier ON code = import_supplier_code
  LEFT JOIN staged USING (id)`;
