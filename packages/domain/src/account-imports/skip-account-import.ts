import type {
  GetAccountImportRequest,
  SkipAccountImportRequest,
  StaffAccountImport,
  UnskipAccountImportRequest,
} from '@causeway/contracts';
import { statement } from '@causeway/db';
import { AUDIT_COLUMNS, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';
import { accountImportNotFound, staffAccountImport } from './staff-account-import.ts';

const SKIP_ACCOUNT_IMPORT = statement(
  'skip-account-import',
  `WITH skipped AS (
    UPDATE account_imports SET state = 'SKIPPED', skip_reason = $8, updated_at = $5, skipped_at = $5
    WHERE id = $1 AND import_supplier_code = $6 AND external_account_number = $7 AND state <> 'COMPLETED'
    RETURNING id
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT $1, $2, $3, $4, $5, 'account_import', 'skipped', jsonb_build_object('reason', $8::text) FROM skipped
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
    RETURNING id
  ),
  audit AS (
    INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action, detail)
    SELECT $1, $2, $3, $4, $5, 'account_import', 'unskipped', jsonb_strip_nulls(jsonb_build_object('reason', $8::text))
    FROM unskipped
  )
  SELECT FROM unskipped`,
);

/**
 * Marks an account to be skipped: it can be neither staged again nor processed (specification 4.2). Skipping it again
 * replaces the reason. Answers with the record.
 * Refuses with `account_not_found` and `account_import_process_already_imported`.
 */
export async function skipAccountImport(
  context: Context,
  request: SkipAccountImportRequest,
): Promise<StaffAccountImport> {
  await context.database.query(SKIP_ACCOUNT_IMPORT, [...keyValues(context, request), request.reason]);
  return findUncompleted(context, request);
}

/**
 * Makes a skipped account pending again, as it was before; one that is pending already stays so. Answers with the
 * record. Refuses with `account_not_found` and `account_import_process_already_imported`.
 */
export async function unskipAccountImport(
  context: Context,
  request: UnskipAccountImportRequest,
): Promise<StaffAccountImport> {
  const values = [...keyValues(context, request), request.reason ?? null];
  await context.database.query(UNSKIP_ACCOUNT_IMPORT, values);
  return findUncompleted(context, request);
}

function keyValues(context: Context, { code, external_account_number }: GetAccountImportRequest): unknown[] {
  const id = accountImportId(code, external_account_number);
  return [...auditValues(context, id), code, external_account_number];
}

async function findUncompleted(
  { database }: Context,
  { code, external_account_number }: GetAccountImportRequest,
): Promise<StaffAccountImport> {
  const row = await database.prisma.accountImport.findFirst({
    where: { id: accountImportId(code, external_account_number), import_supplier_code: code, external_account_number },
    omit: { payload: true },
    include: { account: { select: { service_account_number: true } } },
  });
  if (row === null) {
    throw accountImportNotFound();
  }
  const record = staffAccountImport(row);
  if (record.state === 'COMPLETED') {
    const { service_account_number } = record;
    throw new DomainError('account_import_process_already_imported', 'This account has already been imported.', {
      attr: 'external_account_number',
      extra: { external_account_number, service_account_number },
    });
  }
  return record;
}
