import { databaseWithin, type Queryable } from '@causeway/db';
import { type AccountKey, accountKey } from '../account-key.ts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { GroupedCall, GroupedRow } from '../grouped-statement.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { accountErased } from './account-erased.ts';
import { LOCK_ACCOUNT } from './lock-account.sql.ts';

/** How each request that imports into an account identifies it. */
interface NamedAccount {
  import_supplier: string;
  external_account_number: string;
}

/**
 * The result of an import's statement for one account (`accountCalls` describes its steps: `input`, `found`, `free`,
 * `claimed`). No row: the account was not `found`. `busy`: another call has it locked, so it was not `free` and nothing
 * was done. Otherwise this is what the statement read and did.
 */
export interface SeenAccount extends GroupedRow {
  /** The account's revision when it was read: a write decided on this data is conditional on it. */
  revision: number;
  /** The call was `claimed`, and all its data is stored. If not, something conflicted, or another import was faster. */
  written: boolean;
  /** Its personal data is erased, and it accepts nothing more. */
  erased: boolean;
}

/** The decision on an import, and the `values` that its statement reads (`accountCalls`). */
export interface Decision<Result> {
  result: Result;
  /** There is nothing to write: everything exists already. */
  unchanged: boolean;
  values: Record<string, unknown>;
}

/** An import as pure rules and one grouped statement of `accountCalls`. */
export interface AccountImport<Account extends SeenAccount, Result> {
  write(queryable: Queryable, call: GroupedCall): Promise<Account | undefined>;
  /** Without an account: the decision if nothing on the account conflicts. */
  decide(account?: Account): Decision<Result> | Promise<Decision<Result>>;
}

/**
 * Writes what `decide` decides, once. The first statement is optimistic: it writes, or returns what conflicts. Then it
 * decides again on that, and the second statement is conditional on the revision that was read. If another import was
 * faster, it locks the account and starts again: a large import does not starve behind small ones. Refuses with
 * `import_supplier_does_not_exist`, `account_not_found` (the account must be imported, not only staged) and
 * `account_erased`.
 */
export async function importIntoAccount<Account extends SeenAccount, Result>(
  context: Context,
  { import_supplier, external_account_number }: NamedAccount,
  accountImport: AccountImport<Account, Result>,
): Promise<Result> {
  await findImportSupplier(context, import_supplier, 'import_supplier');
  const { database } = context;
  const key = accountKey(import_supplier, external_account_number);
  const first = await attempt(context, key, accountImport);
  if (first !== undefined) {
    return first.result;
  }
  return database.transaction(async (transaction) => {
    await transaction.query(LOCK_ACCOUNT, { id: key.id });
    const within = { ...context, database: databaseWithin(database, transaction) };
    const locked = await attempt(within, key, accountImport);
    if (locked === undefined) {
      throw new Error(`Account ${key.id} was written to while it was locked`);
    }
    return locked.result;
  });
}

/** Undefined if another import was faster. */
async function attempt<Account extends SeenAccount, Result>(
  context: Context,
  key: AccountKey,
  { write, decide }: AccountImport<Account, Result>,
): Promise<{ result: Result } | undefined> {
  const audit = auditValues(context, key.id);
  let seen: Account | undefined;
  do {
    const { result, unchanged, values } = await decide(seen);
    if (unchanged) {
      return { result };
    }
    const seen_revision = seen?.revision ?? null;
    const call = { ...audit, ...key, seen_revision, ...values };
    const account = await write(context.database, call);
    if (account === undefined) {
      throw accountNotFound();
    }
    if (account.erased) {
      throw accountErased();
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
