import type { AccountPayload, StageAccountResponse } from '@causeway/contracts';
import { statement } from '@causeway/db';
import { AUDIT_COLUMNS, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { findImportSupplier, migrationNotOngoing } from '../import-suppliers/find-import-supplier.ts';
import { refuseUnlessPending } from './refuse-unless-pending.ts';

/** Whether this was the account's first staging (201) or replaced what was staged before (200). */
export interface StagedAccount {
  response: StageAccountResponse;
  first: boolean;
}

// One statement: the supplier's status, the conditional write and its audit row share a snapshot and a commit.
const STAGE_ACCOUNT = statement(
  'stage-account',
  `WITH supplier AS (SELECT status FROM import_suppliers WHERE code = $6),
  staged AS (
    INSERT INTO account_imports AS import
      (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
    SELECT $1, $6, $7, 'STAGED', $8::jsonb, $5, $5 FROM supplier WHERE status = 'ONGOING'
    ON CONFLICT (id) DO UPDATE SET
      state = 'STAGED', payload = excluded.payload, times_staged = import.times_staged + 1,
      last_error = NULL, failed_at = NULL, updated_at = excluded.updated_at
    WHERE import.state IN ('STAGED', 'FAILED')
      AND import.import_supplier_code = excluded.import_supplier_code
      AND import.external_account_number = excluded.external_account_number
    RETURNING times_staged
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action)
    SELECT $1, $2, $3, $4, $5, 'account_import', CASE times_staged WHEN 1 THEN 'staged' ELSE 'staged_again' END
    FROM staged
  )
  SELECT (SELECT status FROM supplier) AS supplier_status, (SELECT times_staged FROM staged) AS times_staged`,
);

interface StageAccountRow {
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
  const id = accountImportId(import_supplier, external_account_number);
  const values = [...auditValues(context, id), import_supplier, external_account_number, JSON.stringify(payload)];
  const [row] = await context.database.query<StageAccountRow>(STAGE_ACCOUNT, values);
  if (row?.supplier_status !== 'ONGOING') {
    throw migrationNotOngoing(row?.supplier_status, 'import_supplier');
  }
  if (row.times_staged === null) {
    await refuseUnlessPending(context.database, { import_supplier, external_account_number });
    return stageAccount(context, payload);
  }
  return { response: { import_supplier, external_account_number }, first: row.times_staged === 1 };
}
