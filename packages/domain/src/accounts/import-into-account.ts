import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';

/** What each request that imports into an account names it by. */
export interface AccountReference {
  import_supplier: string;
  external_account_number: string;
}

/** Every read of an account gives its revision: the write that follows names it and counts it up, or writes nothing. */
export interface Revised {
  revision: number;
}

/**
 * How an import is done in two statements without an open transaction: `read` sees the account and what it has in one
 * snapshot, `write` decides by pure rules and writes in one statement that starts with `CLAIM_REVISION`; it returns
 * undefined where somebody else imported since the read.
 */
export interface AccountImport<Account extends Revised, Result> {
  read(id: string): Promise<Account | undefined>;
  write(id: string, account: Account): Promise<Result | undefined>;
}

/**
 * The first part of every statement that writes into an account. Of two imports that read the same revision one
 * writes, the other finds no row here, writes nothing and reads again. $1 is the account, $6 the revision.
 */
export const CLAIM_REVISION = `account AS (
    UPDATE accounts SET revision = revision + 1 WHERE account_import_id = $1 AND revision = $6
    RETURNING account_import_id
  )`;

/** The account of a reading statement, with the columns its id is derived from compared: a collision finds nothing. */
export const FIND_ACCOUNT = `accounts account JOIN account_imports import
    ON import.id = account.account_import_id
    AND import.import_supplier_code = $2 AND import.external_account_number = $3
  WHERE account.account_import_id = $1`;

/**
 * Reads, decides and writes until the write counted. Every lost round is another caller's import, so it ends.
 * Refuses with `import_supplier_does_not_exist` and `account_not_found` (the account must be imported, not only staged).
 */
export async function importIntoAccount<Account extends Revised, Result>(
  context: Context,
  reference: AccountReference,
  { read, write }: AccountImport<Account, Result>,
): Promise<Result> {
  await findImportSupplier(context, reference.import_supplier, 'import_supplier');
  const id = accountImportId(reference.import_supplier, reference.external_account_number);
  for (let round = 0; ; round += 1) {
    const account = await read(id);
    if (account === undefined) {
      throw accountNotFound();
    }
    const result = await write(id, account);
    if (result !== undefined) {
      return result;
    }
    await delay(Math.random() * Math.min(round, 10));
  }
}

function accountNotFound(): DomainError {
  return new DomainError(
    'account_not_found',
    'No imported account has this number: check import_supplier and external_account_number, and that it was processed.',
    { attr: 'external_account_number' },
  );
}
