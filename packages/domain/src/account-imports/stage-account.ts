import type { AccountPayload, StageAccountResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { AUDIT_COLUMNS, AUDIT_FIELDS, AUDIT_RECORD, auditRecord } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { type GroupedRow, groupedStatement } from '../grouped-statement.ts';
import { findImportSupplier, migrationNotOngoing } from '../import-suppliers/find-import-supplier.ts';
import { refuseUnlessPending } from './refuse-unless-pending.ts';

/** Whether this was the account's first staging (201) or replaced what was staged before (200). */
export interface StagedAccount {
  response: StageAccountResponse;
  first: boolean;
}

// One statement for all calls that come together: the conditional writes and their audit rows share a snapshot and a
// commit. The suppliers are locked first, so that no status is set while it runs (always in the same order, and before
// the rows). What somebody else has locked is left out ($2 false), supplier or row: a neighbour must not wait.
const stageTogether = groupedStatement<StagedRow>(
  statement(
    'stage-accounts',
    `WITH input AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json)
      AS input (${AUDIT_RECORD}, import_supplier text, external_account_number text, payload jsonb)
  ),
  supplier AS MATERIALIZED (
    SELECT code, share_import_supplier(code, $2) AS status
    FROM (SELECT DISTINCT import_supplier AS code FROM input ORDER BY code) named
  ),
  known AS MATERIALIZED (
    SELECT id FROM account_imports
    WHERE id = ANY (ARRAY(SELECT id FROM input JOIN supplier ON code = import_supplier))
  ),
  free AS MATERIALIZED (
    SELECT id FROM account_imports WHERE id = ANY (ARRAY(SELECT id FROM known)) FOR UPDATE SKIP LOCKED
  ),
  staged AS (
    INSERT INTO account_imports AS import
      (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
    SELECT id, import_supplier, external_account_number, 'STAGED', payload, at, at
    FROM input JOIN supplier ON code = import_supplier
    WHERE status = 'ONGOING' AND ($2 OR id IN (SELECT id FROM free) OR id NOT IN (SELECT id FROM known))
    ORDER BY id
    ON CONFLICT (id) DO UPDATE SET
      state = 'STAGED', payload = excluded.payload, times_staged = import.times_staged + 1,
      last_error = NULL, failed_at = NULL, updated_at = excluded.updated_at
    WHERE import.state IN ('STAGED', 'FAILED')
      AND import.import_supplier_code = excluded.import_supplier_code
      AND import.external_account_number = excluded.external_account_number
    RETURNING id, times_staged
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action)
    SELECT ${AUDIT_FIELDS}, 'account_import', CASE times_staged WHEN 1 THEN 'staged' ELSE 'staged_again' END
    FROM staged JOIN input USING (id)
  )
  SELECT id, status AS supplier_status, times_staged,
    NOT $2 AND (status IS NULL OR (id IN (SELECT id FROM known) AND id NOT IN (SELECT id FROM free))) AS busy
  FROM input JOIN supplier ON code = import_supplier LEFT JOIN staged USING (id)`,
  ),
);

interface StagedRow extends GroupedRow {
  supplier_status: string | null;
  times_staged: number | null;
}

/**
 * Stores the validated payload without creating the account; staging again replaces it (specification 4.2).
 * A failed attempt becomes pending again. Nothing changes when it is refused.
 * Refuses with `import_supplier_does_not_exist`, `import_supplier_migration_not_ongoing`,
 * `account_import_process_already_imported` and `account_import_process_skipped`.
 */
export async function stageAccount(context: Context, payload: AccountPayload): Promise<StagedAccount> {
  const { import_supplier, external_account_number } = payload;
  await findImportSupplier(context, import_supplier, 'import_supplier');
  const key = { import_supplier, external_account_number };
  const audit = auditRecord(context, accountImportId(import_supplier, external_account_number));
  const row = await stageTogether(context.database, { ...audit, ...key, payload });
  if (row?.supplier_status !== 'ONGOING') {
    throw migrationNotOngoing(row?.supplier_status, 'import_supplier');
  }
  if (row.times_staged === null) {
    await refuseUnlessPending(context.database, key);
    // It has become pending since the statement looked.
    return stageAccount(context, payload);
  }
  return { response: key, first: row.times_staged === 1 };
}
