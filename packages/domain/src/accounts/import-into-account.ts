import { databaseWithin, type Queryable } from '@causeway/db';
import { AUDIT_RECORD, auditRecord } from '../audit/audit-values.ts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { DomainError } from '../errors.ts';
import type { GroupedCall, GroupedRow } from '../grouped-statement.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';
import { accountErased } from './account-erased.ts';
import { LOCK_ACCOUNT } from './lock-account.sql.ts';

/** What each request that imports into an account names it by. */
export interface AccountReference {
  import_supplier: string;
  external_account_number: string;
}

/** What a statement tells of the account: its revision when it looked, and whether it wrote. */
export interface SeenAccount extends GroupedRow {
  revision: number;
  written: boolean;
  /** Its personal data is gone, and no more of it is taken. */
  erased: boolean;
}

/** What an import comes to, and what its statement reads of the call as the `values` of `AccountCalls`. */
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

/** How the statement of an import reads its calls, beside what each has. */
export interface AccountCalls {
  /** What the call's `values` are, as columns of a record. */
  values: string;
  /** A query of one JSON value, NULL if there is nothing: what the account has of what `input` would import. */
  stored: string;
  /** Whether the call may write without having seen the account, in terms of `found`. */
  clear: string;
}

/**
 * The beginning of a grouped statement that imports into accounts:
 * - `found`: each call with its account and what is `stored` there. The columns that the account's id is derived from
 *   are compared: a collision finds nothing.
 * - `free`: of their accounts, those that nobody else has locked, locked now (unless the call waits, by $2).
 * - `claimed`: the calls that write, each by counting up its account's revision: those that decided on a revision
 *   (`decided_on`) if nobody has imported since, the others if `clear` holds. Of two that saw the same revision only
 *   one writes.
 */
export const accountCalls = ({ values, stored, clear }: AccountCalls) => `input AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS input (${AUDIT_RECORD}, import_supplier text,
      external_account_number text, decided_on integer, ${values})
  ),
  found AS MATERIALIZED (
    SELECT input.*, account.*, (${stored}) AS stored
    FROM input CROSS JOIN LATERAL (
      SELECT account.revision, account.service_account_number, account.open_statement_from, import.erased_at
      FROM accounts account JOIN account_imports import ON import.id = account.account_import_id
        AND import.import_supplier_code = input.import_supplier
        AND import.external_account_number = input.external_account_number
      WHERE account.account_import_id = input.id OFFSET 0
    ) account
  ),
  free AS MATERIALIZED (
    SELECT account_import_id AS id FROM accounts
    WHERE NOT $2 AND account_import_id = ANY (ARRAY(SELECT id FROM found)) FOR NO KEY UPDATE SKIP LOCKED
  ),
  claimed AS (
    UPDATE accounts AS account SET revision = account.revision + 1
    FROM found
    WHERE account.account_import_id = ANY (ARRAY(SELECT id FROM found)) AND account.account_import_id = found.id
      AND account.revision = coalesce(found.decided_on, found.revision) AND found.erased_at IS NULL
      AND ($2 OR found.id IN (SELECT id FROM free)) AND (found.decided_on IS NOT NULL OR ${clear})
    RETURNING found.*
  )`;

/** What every such statement answers of each `found` call: a `SeenAccount`, by these columns. */
export const SEEN_ACCOUNT = `id, revision, id IN (SELECT id FROM claimed) AS written, erased_at IS NOT NULL AS erased,
    NOT $2 AND id NOT IN (SELECT id FROM free) AS busy`;

/**
 * Writes what `decide` comes to, once. First as if nothing stood in the way, which one statement does or refuses to
 * do; where it refused, once more after deciding on what it saw. Where somebody else imported meanwhile, the account is
 * locked and it starts over: a large import does not starve behind small ones.
 * Refuses with `import_supplier_does_not_exist`, `account_not_found` (the account must be imported, not only staged) and
 * `account_erased`.
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
    await transaction.query(LOCK_ACCOUNT, { id });
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
  { write, decide }: AccountImport<Account, Result>,
): Promise<{ result: Result } | undefined> {
  const audit = auditRecord(context, accountImportId(import_supplier, external_account_number));
  let seen: Account | undefined;
  do {
    const { result, unchanged, values } = await decide(seen);
    if (unchanged) {
      return { result };
    }
    const decided_on = seen?.revision ?? null;
    const call = { ...audit, import_supplier, external_account_number, decided_on, ...values };
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
