import { type AccountPayload, differingFields } from '@causeway/contracts';
import { fragment, narrow, type Queryable, type RowOf, sql } from '@causeway/db';
import { digestOfPayload, HISTORY, IS_NAMED } from '../shared/conditions.sql.ts';
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
 * Says why an account import that could not be changed is not pending (behaviour 4.2, 4.3): it was never staged, or not
 * since it was undone, it is
 * marked to be skipped, or it was imported, in which case the error carries both account numbers. Returns if it is
 * pending after all: the caller lost a race and may retry.
 *
 * @param sent what was to be staged: where the account was created from something else, the error names the fields
 */
export async function refuseUnlessPending(
  queryable: Queryable,
  { id, import_supplier_code, external_account_number }: AccountKey,
  sent?: AccountPayload,
): Promise<void> {
  const key = { id, import_supplier_code, external_account_number };
  const payload = sent === undefined ? null : JSON.stringify(sent);
  const [row] = await queryable.query(ACCOUNT_IMPORT_STATE, { ...key, payload });
  // What was undone can be staged again.
  if (row === undefined || (row.state === 'UNDONE' && sent === undefined)) {
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
        ...differencesOf(row),
      },
    });
  }
}

/** Of a payload that is removed a digest is left: what differs is not known. */
function differencesOf({ created, sent, is_same }: RowOf<typeof ACCOUNT_IMPORT_STATE>): { differences?: string[] } {
  if (sent === null || is_same === true) return {};
  const differences = created === null ? ['account'] : differingFields(sent, created);
  return differences.length === 0 ? {} : { differences };
}

const SENT = fragment`${'payload'}::jsonb - ${HISTORY}`;

const ACCOUNT_IMPORT_STATE = sql('account-import-state', {
  state: 'account_import_state',
  service_account_number: 'text | null',
  created: narrow<object | null>('jsonb | null'),
  sent: narrow<object | null>('jsonb | null'),
  is_same: 'boolean | null',
})`
  SELECT import.state, account.service_account_number, created, sent,
    CASE
      WHEN created IS NULL THEN payload_digest IS NOT DISTINCT FROM ${digestOfPayload(fragment`sent`)}
      ELSE created = sent
    END AS is_same
  FROM account_imports AS import
  LEFT JOIN accounts AS account ON account.account_import_id = import.id
  CROSS JOIN LATERAL (
    SELECT ${SENT} AS sent, CASE WHEN ${'payload'}::text IS NOT NULL AND state = 'COMPLETED' THEN payload - ${HISTORY} END AS created
  ) AS compared
  WHERE import.id = ${'id'}
    AND ${IS_NAMED}`;

/** The refusal of a call that reads an account: nothing was ever staged under this number. */
export function accountNotStaged(externalAccountNumber: string): DomainError {
  const detail = `No account ${externalAccountNumber} was staged for this import supplier.`;
  return new DomainError('account_not_found', detail, { attr: 'external_account_number' });
}
