import { type AttemptFailure, type GetAccountImportRequest, MASK, type StaffAccountImport } from '@causeway/contracts';
import { narrow, type RowOf, selectList, sql } from '@causeway/db';
import { IS_NAMED } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { accountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';

/** What is read of an account import for its record: not what may be large, and is shown elsewhere. */
export const STAFF_COLUMNS = {
  external_account_number: 'text',
  state: 'account_import_state',
  staging_order: 'bigint',
  service_account_number: 'text | null',
  times_staged: 'integer',
  attempts: 'integer',
  last_error: narrow<AttemptFailure | null>('jsonb | null'),
  skip_reason: 'text | null',
  staged_at: 'timestamptz',
  updated_at: 'timestamptz',
  failed_at: 'timestamptz | null',
  skipped_at: 'timestamptz | null',
  completed_at: 'timestamptz | null',
  payload_removed_at: 'timestamptz | null',
  erased_at: 'timestamptz | null',
  adopted_at: 'timestamptz | null',
  undone_at: 'timestamptz | null',
} as const;

export const STAFF_FIELDS = selectList(STAFF_COLUMNS, 'import', {
  service_account_number: 'account.service_account_number',
});

export const READ_STAFF_RECORD = sql('read-staff-record', STAFF_COLUMNS)`
  SELECT ${STAFF_FIELDS}
  FROM account_imports AS import
  LEFT JOIN accounts AS account ON account.account_import_id = import.id
  WHERE import.id = ${'id'}
    AND ${IS_NAMED}`;
export type StaffRow = RowOf<typeof READ_STAFF_RECORD>;

/** The record as the service team sees it: who failed, when and why. Masked, why it is skipped is hidden. */
export function staffAccountImport(row: StaffRow, { masked = false } = {}): StaffAccountImport {
  const { staging_order: _order, ...record } = withUtcDatetimes(row);
  return { ...record, skip_reason: masked && row.skip_reason !== null ? MASK : row.skip_reason };
}

/** One account import as the service team sees it. Refuses with `account_not_found`. */
export async function findStaffAccountImport(
  { database }: Context,
  { code, external_account_number }: GetAccountImportRequest,
): Promise<StaffAccountImport> {
  const [row] = await database.query(READ_STAFF_RECORD, accountKey(code, external_account_number));
  if (row === undefined) {
    throw accountImportNotFound();
  }
  return staffAccountImport(row);
}

/** The refusal of a staff call for an account that the supplier does not have. */
export function accountImportNotFound(): DomainError {
  return new DomainError('account_not_found', 'No account with this number was staged for this import supplier.', {
    attr: 'external_account_number',
  });
}
