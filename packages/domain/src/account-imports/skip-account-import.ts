import type {
  GetAccountImportRequest,
  SkipAccountImportRequest,
  StaffAccountImport,
  UnskipAccountImportRequest,
} from '@causeway/contracts';
import { statement } from '@causeway/db';
import { accountErased } from '../accounts/account-erased.ts';
import { AUDIT_COLUMNS, AUDIT_VALUES, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';
import { findStaffAccountImport } from './staff-account-import.ts';

const SKIP_ACCOUNT_IMPORT = statement(
  'skip-account-import',
  `WITH skipped AS (
    UPDATE account_imports SET state = 'SKIPPED', skip_reason = $8, updated_at = $5, skipped_at = $5
    WHERE id = $1 AND import_supplier_code = $6 AND external_account_number = $7 AND state <> 'COMPLETED'
      AND erased_at IS NULL
    RETURNING id
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'account_import', 'skipped', jsonb_build_object('reason', $8::text) FROM skipped
  )
  SELECT FROM skipped`,
);

const UNSKIP_ACCOUNT_IMPORT = statement(
  'unskip-account-import',
  `WITH unskipped AS (
    UPDATE account_imports
    SET state = CASE WHEN failed_at IS NULL THEN 'STAGED' ELSE 'FAILED' END::account_import_state,
      skip_reason = NULL, updated_at = $5, skipped_at = NULL
    WHERE id = $1 AND import_supplier_code = $6 AND external_account_number = $7 AND state = 'SKIPPED'
      AND erased_at IS NULL
    RETURNING id
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT ${AUDIT_VALUES}, 'account_import', 'unskipped', jsonb_strip_nulls(jsonb_build_object('reason', $8::text))
    FROM unskipped
  )
  SELECT FROM unskipped`,
);

/**
 * Marks an account to be skipped: it can be neither staged again nor processed (specification 4.2). Skipping it again
 * replaces the reason. Answers with the record.
 * Refuses with `account_not_found`, `account_import_process_already_imported` and `account_erased`.
 */
export async function skipAccountImport(
  context: Context,
  request: SkipAccountImportRequest,
): Promise<StaffAccountImport> {
  await context.database.query(SKIP_ACCOUNT_IMPORT, [...keyValues(context, request), request.reason]);
  return findUnfinished(context, request);
}

/**
 * Makes a skipped account pending again, as it was before; one that is pending already stays so. Answers with the
 * record. Refuses with `account_not_found`, `account_import_process_already_imported` and `account_erased`.
 */
export async function unskipAccountImport(
  context: Context,
  request: UnskipAccountImportRequest,
): Promise<StaffAccountImport> {
  const values = [...keyValues(context, request), request.reason ?? null];
  await context.database.query(UNSKIP_ACCOUNT_IMPORT, values);
  return findUnfinished(context, request);
}

function keyValues(context: Context, { code, external_account_number }: GetAccountImportRequest): unknown[] {
  const id = accountImportId(code, external_account_number);
  return [...auditValues(context, id), code, external_account_number];
}

async function findUnfinished(context: Context, request: GetAccountImportRequest): Promise<StaffAccountImport> {
  const record = await findStaffAccountImport(context, request);
  if (record.state === 'COMPLETED') {
    const { external_account_number, service_account_number } = record;
    throw new DomainError('account_import_process_already_imported', 'This account has already been imported.', {
      attr: 'external_account_number',
      extra: { external_account_number, service_account_number },
    });
  }
  if (record.erased_at !== null) {
    throw accountErased();
  }
  return record;
}
