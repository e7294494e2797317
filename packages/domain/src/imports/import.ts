import type { ImportOperation } from '@causeway/contracts';
import { databaseWithin, type Queryable } from '@causeway/db';
import { keptWith, tooMuchKept } from '../kept-fields/kept-fields.ts';
import { type CallReport, reportRows, settleUnwritten } from '../refusals/settle.ts';
import { auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { type AccountKey, accountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import type { GroupedCall, GroupedRow } from '../shared/grouped-statement.ts';
import { LOCK_ACCOUNT } from './statement.sql.ts';

/** How each request that imports into an account identifies it. */
interface NamedAccount {
  import_supplier: string;
  external_account_number: string;
  dry_run?: boolean | undefined;
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
  /** Not null: something was open of the account. */
  settled: unknown;
  /** With its undocumented fields, more than is kept of an account would be. */
  keeps_too_much: boolean;
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
  /** As refusals have it; the statement has the same. */
  operation: ImportOperation;
  write(queryable: Queryable, call: GroupedCall): Promise<Account | undefined>;
  /**
   * Asks another service what the decision on the account needs, while no transaction is open. Of an import that asks
   * the first statement only reads.
   */
  ask?(account: Account): Promise<void>;
  /** Without an account: the decision if nothing on the account conflicts. */
  decide(account?: Account): Decision<Result>;
  /** What is reported of the call if it succeeds with this result. */
  report?(result: Result): readonly CallReport[];
}

/**
 * Writes what `decide` decides, once. The first statement is optimistic: it writes, or returns what conflicts. Then it
 * decides again on that, and the second statement is conditional on the revision that was read. If another import was
 * faster, it locks the account and starts again: a large import does not starve behind small ones. Refuses with
 * `import_supplier_does_not_exist`, `account_not_found` (the account must be imported, not only staged) and
 * `account_erased`. A dry run does the same on the locked account and rolls it back: `dry_run_rolled_back` has what it
 * would have answered.
 */
export async function importIntoAccount<Account extends SeenAccount, Result>(
  context: Context,
  { import_supplier, external_account_number, dry_run }: NamedAccount,
  accountImport: AccountImport<Account, Result>,
): Promise<Result> {
  await findImportSupplier(context, import_supplier, 'import_supplier');
  const { database } = context;
  const key = accountKey(import_supplier, external_account_number);
  if (dry_run) {
    return tryAndUndo(context, key, accountImport);
  }
  const first = await attempt(context, key, accountImport);
  if (first !== undefined) {
    return first.result;
  }
  return database.transaction((transaction) => attemptLocked({ context, transaction }, key, accountImport));
}

async function attemptLocked<Account extends SeenAccount, Result>(
  { context, transaction }: { context: Context; transaction: Queryable },
  key: AccountKey,
  accountImport: Attempted<Account, Result>,
): Promise<Result> {
  await transaction.query(LOCK_ACCOUNT, { id: key.id });
  const within = { ...context, database: databaseWithin(context.database, transaction) };
  const locked = await attempt(within, key, { ...accountImport, ask: undefined });
  if (locked === undefined) {
    throw new Error(`Account ${key.id} was written to while it was locked`);
  }
  return locked.result;
}

async function tryAndUndo<Account extends SeenAccount, Result>(
  context: Context,
  key: AccountKey,
  accountImport: AccountImport<Account, Result>,
): Promise<never> {
  const { ask, write, decide } = accountImport;
  if (ask !== undefined) {
    const call = { ...auditValues(context, key.id), ...key, seen_revision: null, ...decide().values };
    await ask(await writeOrRead(context, write, call));
  }
  const undone = { ...accountImport, isUndone: true as const };
  return context.database.transaction(async (transaction) => {
    const would_answer = await attemptLocked({ context, transaction }, key, undone);
    throw new DomainError(
      'dry_run_rolled_back',
      'The request would succeed. Nothing was stored: this was a dry run and was rolled back.',
      { extra: { would_answer } },
    );
  });
}

interface Attempted<Account extends SeenAccount, Result> extends Omit<AccountImport<Account, Result>, 'ask'> {
  /** Not within a transaction: what is needed was asked before it. */
  ask?: AccountImport<Account, Result>['ask'] | undefined;
  /** A success that is rolled back settles no refusal and reports nothing. */
  isUndone?: true;
}

/** Undefined if another import was faster. */
async function attempt<Account extends SeenAccount, Result>(
  context: Context,
  key: AccountKey,
  { operation, write, ask, decide, report, isUndone }: Attempted<Account, Result>,
): Promise<{ result: Result } | undefined> {
  const audit = auditValues(context, key.id);
  let seen: Account | undefined;
  do {
    if (seen !== undefined) await ask?.(seen);
    const { result, unchanged, values } = decide(seen);
    const settled = isUndone ? undefined : { operation, reports: report?.(result) ?? [] };
    if (unchanged) {
      if (settled !== undefined) await settleUnwritten(context, key, settled);
      return { result };
    }
    const seen_revision = seen?.revision ?? null;
    const reported = settled && reportRows({ ...audit, ...key, ...settled });
    const call = { ...audit, ...key, seen_revision, ...reported, ...values };
    const account = await writeOrRead(context, write, call);
    if (account.written) return { result };
    seen = seen === undefined ? account : undefined;
  } while (seen !== undefined);
  return undefined;
}

/** What the statement found, whether or not it wrote; refuses if the account accepts nothing of the call. */
async function writeOrRead<Account extends SeenAccount>(
  context: Context,
  write: AccountImport<Account, unknown>['write'],
  call: GroupedCall,
): Promise<Account> {
  const account = await write(context.database, { ...call, ...keptWith(context) });
  if (account === undefined) throw accountNotFound();
  if (account.erased) throw accountErased();
  if (account.keeps_too_much) throw tooMuchKept(context);
  return account;
}

function accountNotFound(): DomainError {
  return new DomainError(
    'account_not_found',
    'No imported account has this number: check import_supplier and external_account_number, and that it was processed.',
    { attr: 'external_account_number' },
  );
}

/** The refusal of a call that would change an account whose personal data was erased. */
export function accountErased(): DomainError {
  const detail = 'The personal data of this account was erased: nothing more can be added to it.';
  return new DomainError('account_erased', detail, { attr: 'external_account_number' });
}
