import { type Queryable, statement } from '@causeway/db';
import { accountImportId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';

/** The two names that together identify one account import. */
export interface AccountKey {
  import_supplier: string;
  external_account_number: string;
}

const ACCOUNT_IMPORT_STATE = statement(
  'account-import-state',
  `SELECT import.state, import.skip_reason, account.service_account_number
  FROM account_imports import LEFT JOIN accounts account ON account.account_import_id = import.id
  WHERE import.id = $1 AND import.import_supplier_code = $2 AND import.external_account_number = $3`,
);

interface AccountImportStateRow {
  state: 'STAGED' | 'FAILED' | 'SKIPPED' | 'COMPLETED';
  skip_reason: string | null;
  service_account_number: string | null;
}

/**
 * Says why an account import that could not be changed is not pending (specification 4.2, 4.3): it was never staged,
 * it is marked to be skipped, or it was imported, in which case the error carries both account numbers.
 * Returns when it is pending after all: the caller lost a race and may try again.
 */
export async function refuseUnlessPending(queryable: Queryable, key: AccountKey): Promise<void> {
  const id = accountImportId(key.import_supplier, key.external_account_number);
  const values = [id, key.import_supplier, key.external_account_number];
  const [row] = await queryable.query<AccountImportStateRow>(ACCOUNT_IMPORT_STATE, values);
  if (row === undefined) {
    throw new DomainError('import_process_does_not_exist', 'No data is staged for this account: stage it first.', {
      attr: 'external_account_number',
    });
  }
  if (row.state === 'SKIPPED') {
    throw new DomainError('account_import_process_skipped', 'The service team marked this account to be skipped.', {
      attr: 'external_account_number',
    });
  }
  if (row.state === 'COMPLETED') {
    throw new DomainError('account_import_process_already_imported', 'This account has already been imported.', {
      attr: 'external_account_number',
      extra: {
        external_account_number: key.external_account_number,
        service_account_number: row.service_account_number,
      },
    });
  }
}
