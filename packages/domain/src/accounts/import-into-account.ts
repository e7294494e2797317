import { databaseWithin, type Queryable } from '@causeway/db';
import { type AccountKey, accountKey } from '../account-key.ts';
import { auditValues } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { GroupedCall, GroupedRow } from '../grouped-statement.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { accountErased } from './account-erased.ts';
import { LOCK_ACCOUNT } from './lock-account.sql.ts';

/** What each request that imports into an account names it by. */
interface NamedAccount {
  import_supplier: string;
  external_account_number: string;
}

/**
 * What the statement of an import answers of an account, as its steps left it (`accountCalls` tells of each: `input`,
 * `found`, `free`, `claimed`). No row at all: the account was not `found`. `busy`: somebody else has it locked, so that it
 * was not `free` and nothing was done. Otherwise it has looked, and this is what it saw and did.
 */
export interface SeenAccount extends GroupedRow {
  /** How many imports the account had when it looked: who decides on what it saw names this, and writes if it still holds. */
  revision: number;
  /** The call was `claimed`: all that it brings is stored. If not, something stood in the way, or somebody was quicker. */
  written: boolean;
  /** Its personal data is gone, and no more of it is taken. */
  erased: boolean;
}

/** What an import comes to, and what its statement reads of the call as the `values` of `accountCalls`. */
export interface Decision<Result> {
  result: Result;
  /** Nothing is to be written: everything is there already. */
  unchanged: boolean;
  values: Record<string, unknown>;
}

/** An import as pure rules and one grouped statement of `accountCalls`. */
export interface AccountImport<Account extends SeenAccount, Result> {
  write(queryable: Queryable, call: GroupedCall): Promise<Account | undefined>;
  /** Without an account: what it comes to if nothing on the account stands in the way. */
  decide(account?: Account): Decision<Result> | Promise<Decision<Result>>;
}

/**
 * Writes what `decide` comes to, once. First as if nothing stood in the way, which one statement does or refuses to
 * do; where it refused, once more after deciding on what it saw. Where somebody else imported meanwhile, the account is
 * locked and it starts over: a large import does not starve behind small ones.
 * Refuses with `import_supplier_does_not_exist`, `account_not_found` (the account must be imported, not only staged) and
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

/** Undefined where somebody else was quicker. */
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
