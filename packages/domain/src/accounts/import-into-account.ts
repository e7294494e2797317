import { databaseWithin, type Statement, statement as sql } from '@causeway/db';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';

/** What each request that imports into an account names it by. */
export interface AccountReference {
  import_supplier: string;
  external_account_number: string;
}

/** What a statement tells of the account: its revision when it looked, and whether it wrote. */
export interface SeenAccount {
  revision: number;
  written: boolean;
}

/** What an import comes to, and the values that its statement writes, as `$9` and on. */
export interface Decision<Result> {
  result: Result;
  /** Nothing is to be written: everything is there already. */
  unchanged: boolean;
  values: readonly unknown[];
}

/** An import as pure rules and one statement that begins with `FIND_ACCOUNT` and writes what `claimAccount` lets. */
export interface AccountImport<Account extends SeenAccount, Result> {
  statement: Statement;
  /** Without an account: what it comes to if nothing on the account stands in the way. */
  decide(account?: Account): Decision<Result> | Promise<Decision<Result>>;
}

/**
 * The account, with the columns that its id is derived from compared: a collision finds nothing. $1 - $5 are
 * `auditValues`, $6 and $7 name the account, $8 is the revision that was decided on.
 */
export const FIND_ACCOUNT = `found AS MATERIALIZED (
    SELECT account.revision, account.service_account_number, account.open_statement_from
    FROM accounts account JOIN account_imports import ON import.id = account.account_import_id
      AND import.import_supplier_code = $6 AND import.external_account_number = $7
    WHERE account.account_import_id = $1
  )`;

/**
 * Claims the account for this statement's rows by counting up its revision. A statement without $8 writes if `clear`
 * holds, with it if nobody has imported since; in either case, of two that saw the same revision only one writes.
 */
export const claimAccount = (clear: string) => `claimed AS (
    UPDATE accounts AS account SET revision = account.revision + 1 FROM found
    WHERE account.account_import_id = $1 AND account.revision = coalesce($8::integer, found.revision)
      AND ($8::integer IS NOT NULL OR ${clear})
    RETURNING account.account_import_id
  )`;

const LOCK_ACCOUNT = sql('lock-account', 'SELECT FROM accounts WHERE account_import_id = $1 FOR UPDATE');

/**
 * Writes what `decide` comes to, once. First as if nothing stood in the way, which one statement does or refuses to
 * do; where it refused, once more after deciding on what it saw. Where somebody else imported meanwhile, the account is
 * locked and it starts over: a large import does not starve behind small ones.
 * Refuses with `import_supplier_does_not_exist` and `account_not_found` (the account must be imported, not only staged).
 */
export async function importIntoAccount<Account extends SeenAccount, Result>(
  context: Context,
  reference: AccountReference,
  accountImport: AccountImport<Account, Result>,
): Promise<Result> {
  await findImportSupplier(context, reference.import_supplier, 'import_supplier');
  const { database } = context;
  const first = await attempt(context, reference, accountImport);
  if (first !== undefined) {
    return first.result;
  }
  return database.transaction(async (transaction) => {
    const id = accountImportId(reference.import_supplier, reference.external_account_number);
    await transaction.query(LOCK_ACCOUNT, [id]);
    const within = { ...context, database: databaseWithin(database, transaction) };
    const locked = await attempt(within, reference, accountImport);
    if (locked === undefined) {
      throw new Error(`Account ${id} was written to while it was locked`);
    }
    return locked.result;
  });
}

/** Undefined where somebody else was quicker. */
async function attempt<Account extends SeenAccount, Result>(
  context: Context,
  { import_supplier, external_account_number }: AccountReference,
  { statement, decide }: AccountImport<Account, Result>,
): Promise<{ result: Result } | undefined> {
  const audit = auditValues(context, accountImportId(import_supplier, external_account_number));
  let seen: Account | undefined;
  do {
    const { result, unchanged, values } = await decide(seen);
    if (unchanged) {
      return { result };
    }
    const key = [import_supplier, external_account_number, seen?.revision ?? null];
    const [account] = await context.database.query<Account>(statement, [...audit, ...key, ...values]);
    if (account === undefined) {
      throw accountNotFound();
    }
    if (account.written) {
      return { result };
    }
    seen = seen === undefined ? account : undefined;
  } while (seen !== undefined);
  return undefined;
}

function accountNotFound(): DomainError {
  return new DomainError(
    'account_not_found',
    'No imported account has this number: check import_supplier and external_account_number, and that it was processed.',
    { attr: 'external_account_number' },
  );
}
