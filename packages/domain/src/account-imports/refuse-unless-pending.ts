import { type Queryable, sql } from '@causeway/db';
import { IS_NAMED } from '../shared/conditions.sql.ts';
import type { AccountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';

/**
 * How often a call that lost a race is retried: each time, a concurrent call changed the account between two
 * statements.
 */
export const MAX_ATTEMPTS = 10;

/** For a call that lost that many races in a row. */
export function changedAllTheTime(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Other requests keep changing this account. Nothing was done: try again.',
  );
}

/**
 * Says why an account import that could not be changed is not pending (behaviour 4.2, 4.3): it was never staged, it is
 * marked to be skipped, or it was imported, in which case the error carries both account numbers. Returns if it is
 * pending after all: the caller lost a race and may retry.
 */
export async function refuseUnlessPending(queryable: Queryable, key: AccountKey): Promise<void> {
  const [row] = await queryable.query(ACCOUNT_IMPORT_STATE, key);
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

const ACCOUNT_IMPORT_STATE = sql('account-import-state', {
  state: 'account_import_state',
  service_account_number: 'text | null',
})`
  SELECT import.state, account.service_account_number
  FROM account_imports AS import
  LEFT JOIN accounts AS account ON account.account_import_id = import.id
  WHERE import.id = ${'id'}
    AND ${IS_NAMED}`;

/** The refusal of a call that reads an account: nothing was ever staged under this number. */
export function accountNotStaged(externalAccountNumber: string): DomainError {
  const detail = `No account ${externalAccountNumber} was staged for this import supplier.`;
  return new DomainError('account_not_found', detail, { attr: 'external_account_number' });
}
