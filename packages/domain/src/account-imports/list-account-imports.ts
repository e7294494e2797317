import {
  type AccountImportRecord,
  type AccountImportState,
  LIMITS,
  type ListAccountImportsRequest,
} from '@causeway/contracts';
import { type Statement, statement } from '@causeway/db';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { accountImportId } from '../derived-id.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { invalidAfter } from './invalid-after.ts';

/** Every account import of the supplier, oldest staged first (specification 4.9). See `listPage` for paging and errors. */
export function listAccountImports(
  context: Context,
  request: ListAccountImportsRequest,
): Promise<AccountImportRecord[]> {
  return listPage(context, request, ALL);
}

/** The account imports that can still be processed: staged, or failed at their last attempt (specification 4.10). */
export function listPendingImports(
  context: Context,
  request: ListAccountImportsRequest,
): Promise<AccountImportRecord[]> {
  return listPage(context, request, PENDING);
}

/** The account imports that have a platform account, in the same record shape (specification 4.11). */
export function listImportedAccounts(
  context: Context,
  request: ListAccountImportsRequest,
): Promise<AccountImportRecord[]> {
  return listPage(context, request, IMPORTED);
}

const ALL = listStatement('list-account-imports', ['STAGED', 'FAILED', 'SKIPPED', 'COMPLETED']);
const PENDING = listStatement('list-pending-imports', ['STAGED', 'FAILED']);
const IMPORTED = listStatement('list-imported-accounts', ['COMPLETED']);

// One ordered index range a state, merged, then one look at each account (OFFSET 0 keeps PostgreSQL from reading all of
// them to join): the page costs its own length, however many imports there are.
function listStatement(name: string, states: AccountImportState[]): Statement {
  const ranges = states.map(
    (state) => `(SELECT id, external_account_number, staging_order FROM account_imports
      WHERE import_supplier_code = $1 AND state = '${state}' AND staging_order > after.staging_order
      ORDER BY staging_order LIMIT $4)`,
  );
  return statement(
    name,
    `SELECT import.external_account_number, account.service_account_number, account.created_at AS account_created_at
    FROM (SELECT 0 AS staging_order WHERE $2::uuid IS NULL UNION ALL SELECT staging_order FROM account_imports
        WHERE id = $2 AND import_supplier_code = $1 AND external_account_number = $3) AS after
    CROSS JOIN LATERAL (
      SELECT * FROM (${ranges.join(' UNION ALL ')}) AS ranges ORDER BY staging_order LIMIT $4
    ) AS import
    LEFT JOIN LATERAL (
      SELECT service_account_number, created_at FROM accounts WHERE account_import_id = import.id OFFSET 0
    ) AS account ON true
    ORDER BY import.staging_order`,
  );
}

const ACCOUNT_IMPORT_EXISTS = statement(
  'account-import-exists',
  'SELECT FROM account_imports WHERE id = $1 AND import_supplier_code = $2 AND external_account_number = $3',
);

interface AccountImportRecordRow {
  external_account_number: string;
  service_account_number: string | null;
  account_created_at: Date | null;
}

/**
 * One page, oldest staged first: `limit` records (1,000 unless given) after the account number `after`.
 * Refuses with `import_supplier_does_not_exist`, and `request_failed_validation` where `after` was never staged.
 */
async function listPage(
  context: Context,
  request: ListAccountImportsRequest,
  list: Statement,
): Promise<AccountImportRecord[]> {
  const { import_supplier_code: code, after, limit = LIMITS.list_default } = request;
  await findImportSupplier(context, code, 'import_supplier_code');
  const key = [after === undefined ? null : accountImportId(code, after), after ?? null];
  const rows = await context.database.query<AccountImportRecordRow>(list, [code, ...key, limit]);
  if (rows.length === 0 && after !== undefined) {
    await refuseUnknownAfter(context, code, after);
  }
  return rows.map((row) => ({
    external_account_number: row.external_account_number,
    service_account_number: row.service_account_number,
    account_created_at: row.account_created_at === null ? null : utcDatetime(row.account_created_at),
  }));
}

async function refuseUnknownAfter(context: Context, code: string, after: string): Promise<void> {
  const values = [accountImportId(code, after), code, after];
  const known = await context.database.query(ACCOUNT_IMPORT_EXISTS, values);
  if (known.length === 0) {
    throw invalidAfter();
  }
}
