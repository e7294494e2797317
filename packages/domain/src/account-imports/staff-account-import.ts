import {
  type AccountImportState,
  type AttemptFailure,
  type GetAccountImportRequest,
  MASK,
  type StaffAccountImport,
} from '@causeway/contracts';
import type { AccountImport } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { utcDatetime, utcDatetimeOrNull } from '../shared/dates.ts';
import { accountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';

/** An account import with the number of its account, as Prisma reads it. */
export type AccountImportRow = Omit<AccountImport, 'payload' | 'kept_fields'> & {
  account: { service_account_number: string } | null;
};

/** What is read of an account import for its record: not what may be large, and is shown elsewhere. */
export const STAFF_RECORD = {
  omit: { payload: true, kept_fields: true },
  include: { account: { select: { service_account_number: true } } },
} as const;

/** The record as the service team sees it: who failed, when and why. Masked, why it is skipped is hidden. */
export function staffAccountImport(row: AccountImportRow, { masked = false } = {}): StaffAccountImport {
  return {
    external_account_number: row.external_account_number,
    state: row.state,
    service_account_number: row.account?.service_account_number ?? null,
    times_staged: row.times_staged,
    attempts: row.attempts,
    last_error: row.last_error as AttemptFailure | null,
    skip_reason: masked && row.skip_reason !== null ? MASK : row.skip_reason,
    staged_at: utcDatetime(row.staged_at),
    updated_at: utcDatetime(row.updated_at),
    failed_at: utcDatetimeOrNull(row.failed_at),
    skipped_at: utcDatetimeOrNull(row.skipped_at),
    completed_at: utcDatetimeOrNull(row.completed_at),
    payload_removed_at: utcDatetimeOrNull(row.payload_removed_at),
    erased_at: utcDatetimeOrNull(row.erased_at),
  };
}

/** One account import as the service team sees it. Refuses with `account_not_found`. */
export async function findStaffAccountImport(
  { database }: Context,
  { code, external_account_number }: GetAccountImportRequest,
): Promise<StaffAccountImport> {
  const row = await database.prisma.accountImport.findFirst({
    where: accountKey(code, external_account_number),
    ...STAFF_RECORD,
  });
  if (row === null) {
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

/** Which account import it is, and its state; null if it was never staged. */
interface OnPage {
  id: string;
  state: AccountImportState | null;
}

/**
 * Says of each account import of a page whether it is complete (behaviour 14.6.9): COMPLETED without an open refusal. Only
 * the created ones are looked up, by primary key.
 */
export async function completeOnPage(
  { database }: Context,
  page: readonly OnPage[],
): Promise<(one: OnPage) => boolean> {
  const created = page.filter(({ state }) => state === 'COMPLETED').map(({ id }) => id);
  const incomplete =
    created.length === 0
      ? []
      : await database.prisma.incompleteAccount.findMany({
          where: { account_import_id: { in: created } },
          select: { account_import_id: true },
        });
  const refused = new Set(incomplete.map(({ account_import_id }) => account_import_id));
  return ({ id, state }) => state === 'COMPLETED' && !refused.has(id);
}
