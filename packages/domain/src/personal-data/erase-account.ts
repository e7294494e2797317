import type { EraseAccountRequest, StaffAccountImport } from '@causeway/contracts';
import { accountImportNotFound, findStaffAccountImport } from '../account-imports/staff-account-import.ts';
import { eraseFromBulkFiles } from '../bulk/files/erase-from-files.ts';
import { LOCK_ACCOUNT } from '../imports/statement.sql.ts';
import { auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { accountKey } from '../shared/derived-id.ts';
import {
  ERASE_ACCOUNT,
  ERASE_AUDIT_REASONS,
  FORGET_ANSWERS,
  LOCK_ACCOUNT_IMPORT_ROW,
  LOCK_EMAILS_OF_ACCOUNT,
} from './erase-account.sql.ts';

/**
 * Erases the personal data of an account, whether it was created or only staged, in one transaction with its audit
 * event, and then from the lines of bulk jobs; a second call changes nothing. Its number stays taken: a created account
 * stays imported, one that was only staged stays skipped, and nothing can be added to either. Answers with the record.
 * Refuses with `account_not_found`.
 */
export async function eraseAccount(context: Context, request: EraseAccountRequest): Promise<StaffAccountImport> {
  const { code, external_account_number, reason } = request;
  const key = accountKey(code, external_account_number);
  const { id } = key;
  await context.database.transaction(async (transaction) => {
    const [known] = await transaction.query(LOCK_ACCOUNT_IMPORT_ROW, key);
    if (known === undefined) {
      throw accountImportNotFound();
    }
    if (known.erased_at === null) {
      await transaction.query(LOCK_ACCOUNT, { id });
      await transaction.query(LOCK_EMAILS_OF_ACCOUNT, { id });
      await transaction.query(ERASE_ACCOUNT, { ...auditValues(context, id), reason });
      await transaction.query(ERASE_AUDIT_REASONS, { id });
    }
  });
  await context.database.query(FORGET_ANSWERS, { id });
  await eraseFromBulkFiles(context.database, key);
  return findStaffAccountImport(context, request);
}
