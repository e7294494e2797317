import type { AccountStatusRequest, AccountStatusResponse } from '@causeway/contracts';
import { type RowOf, sql } from '@causeway/db';
import { IS_NAMED_BY_INPUT } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import { type AccountKey, accountKey } from '../shared/derived-id.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import { processLockKey } from '../shared/process-locks.ts';
import { accountNotStaged } from './refuse-unless-pending.ts';

// A process call holds the lock exclusively until it ends. Readers take it shared and do not block each other; a
// process call that arrives meanwhile waits for them. No other lock blocks a reader: a read is never busy.
const ACCOUNT_STATUS = sql('account-status', {
  id: 'uuid',
  busy: 'boolean',
  service_account_number: 'text | null',
  in_progress: 'boolean',
})`
  SELECT input.id, false AS busy, import.service_account_number, import.in_progress
  FROM json_to_recordset(${'calls'}::json)
    AS input (id uuid, import_supplier_code text, external_account_number text, lock bigint)
  CROSS JOIN LATERAL (
    SELECT
      account.service_account_number,
      CASE WHEN account.account_import_id IS NULL
        THEN NOT pg_try_advisory_xact_lock_shared(input.lock) ELSE false END AS in_progress
    FROM account_imports AS import
    LEFT JOIN accounts AS account ON account.account_import_id = import.id
    WHERE import.id = input.id
      AND ${IS_NAMED_BY_INPUT}
    OFFSET 0
  ) AS import`;

type AccountStatusRow = RowOf<typeof ACCOUNT_STATUS>;

const readTogether = groupedStatement(ACCOUNT_STATUS);

/**
 * The status of one account import (behaviour 3.1, 4.8). IN_PROGRESS exactly while a process call holds the account's
 * lock; staged, failed and skipped accounts are UNKNOWN, with an empty service_account_number. Refuses with
 * `account_not_found` if nothing was ever staged, and with `import_supplier_does_not_exist`.
 */
export async function accountStatus(context: Context, request: AccountStatusRequest): Promise<AccountStatusResponse> {
  const { import_supplier_code, external_account_number } = request;
  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');
  const key = accountKey(import_supplier_code, external_account_number);
  const first = await readStatus(context, key);
  // The lock may have been released, with the account committed, just after the first statement's snapshot was taken.
  const row = first?.service_account_number === null && !first.in_progress ? await readStatus(context, key) : first;
  if (row === undefined) {
    throw accountNotStaged(external_account_number);
  }
  if (row.service_account_number !== null) {
    return { status: 'COMPLETED', service_account_number: row.service_account_number };
  }
  return { status: row.in_progress ? 'IN_PROGRESS' : 'UNKNOWN', service_account_number: '' };
}

function readStatus(context: Context, key: AccountKey): Promise<AccountStatusRow | undefined> {
  return readTogether(context.database, { ...key, lock: processLockKey(key.id) });
}
