import type {
  GetAccountImportRequest,
  SkipAccountImportRequest,
  StaffAccountImport,
  UnskipAccountImportRequest,
} from '@causeway/contracts';
import { type AccountKey, accountKey } from '../account-key.ts';
import { accountErased } from '../accounts/account-erased.ts';
import { type AuditValues, auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { SKIP_ACCOUNT_IMPORT, UNSKIP_ACCOUNT_IMPORT } from './skip-account-import.sql.ts';
import { findStaffAccountImport } from './staff-account-import.ts';

/**
 * Marks an account to be skipped: it can be neither staged again nor processed (behaviour 4.2). Skipping it again
 * replaces the reason. Answers with the record.
 * Refuses with `account_not_found`, `account_import_process_already_imported` and `account_erased`.
 */
export async function skipAccountImport(
  context: Context,
  request: SkipAccountImportRequest,
): Promise<StaffAccountImport> {
  const values = { ...keyValues(context, request), reason: request.reason };
  await context.database.query(SKIP_ACCOUNT_IMPORT, values);
  return findUnfinished(context, request);
}

/**
 * Makes a skipped account pending again, in its previous state; one that is already pending stays so. Answers with the
 * record. Refuses with `account_not_found`, `account_import_process_already_imported` and `account_erased`.
 */
export async function unskipAccountImport(
  context: Context,
  request: UnskipAccountImportRequest,
): Promise<StaffAccountImport> {
  const values = { ...keyValues(context, request), reason: request.reason ?? null };
  await context.database.query(UNSKIP_ACCOUNT_IMPORT, values);
  return findUnfinished(context, request);
}

function keyValues(
  context: Context,
  { code, external_account_number }: GetAccountImportRequest,
): AuditValues & AccountKey {
  const key = accountKey(code, external_account_number);
  return { ...auditValues(context, key.id), ...key };
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
