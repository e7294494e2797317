import { AccountPayload, type FieldError, LIMITS } from '@causeway/contracts';
import { type SqlStatement, sql } from '@causeway/db';
import {
  accountNumberIn,
  faultyIdentifiers,
  type NamedIdentifiers,
  referenceIn,
  statementIdsIn,
  transactionIdsIn,
} from '@causeway/rules';
import type { Context } from './context.ts';
import { accountImportId } from './derived-id.ts';

/** The identifiers of a request, and how to find out which of them are stored already. */
interface Identifiers extends NamedIdentifiers {
  /** Which of the `identifiers` the account import has; none if it is left out. */
  known?: SqlStatement<{ identifier: string }, 'account_import_id' | 'identifiers'> | undefined;
}

/**
 * The faults of identifiers that would be new. A stored identifier keeps the form that earlier rules accepted, so that
 * its repeat is recognised. Identifiers are never removed: one that is stored now is still stored at the time of the
 * import.
 */
export async function faultsOfNewIdentifiers(
  context: Context,
  request: unknown,
  { known, ...named }: Identifiers,
): Promise<FieldError[]> {
  const faulty = faultyIdentifiers(named);
  if (faulty.length === 0) {
    return [];
  }
  const account_import_id = idOf(request);
  const rows =
    account_import_id === undefined || known === undefined
      ? []
      : await context.database.query(known, { account_import_id, identifiers: faulty.map(({ value }) => value) });
  const stored = new Set<unknown>(rows.map(({ identifier }) => identifier));
  const found = faulty.filter(({ value }) => !stored.has(value));
  return found.slice(0, LIMITS.reported_errors).map(({ error }) => error);
}

function idOf(request: unknown): string | undefined {
  const { import_supplier, external_account_number } = AccountPayload.shape;
  const sent = Object(request);
  const supplier = import_supplier.safeParse(sent.import_supplier);
  const number = external_account_number.safeParse(sent.external_account_number);
  return supplier.success && number.success ? accountImportId(supplier.data, number.data) : undefined;
}

export const STAGED_ACCOUNT_NUMBERS = sql('staged-account-number', { identifier: 'text' })`
  SELECT external_account_number AS identifier
  FROM account_imports
  WHERE id = ${'account_import_id'} AND external_account_number = ANY (${'identifiers'})`;

/** The fault of a payload's account number; none if an account was staged with it before. */
export function newAccountNumber(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, { ...accountNumberIn(request), known: STAGED_ACCOUNT_NUMBERS });
}

export const STORED_STATEMENT_IDS = sql('stored-statement-ids', { identifier: 'text' })`
  SELECT statement_id AS identifier
  FROM statements
  WHERE account_import_id = ${'account_import_id'} AND statement_id = ANY (${'identifiers'})`;

/** The faults of the ids of statements that the account does not have yet. */
export function newStatementIds(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, { ...statementIdsIn(request), known: STORED_STATEMENT_IDS });
}

export const STORED_TRANSACTION_IDS = sql('added-transaction-ids', { identifier: 'text' })`
  SELECT DISTINCT transaction_id AS identifier
  FROM transactions
  WHERE account_import_id = ${'account_import_id'} AND transaction_id = ANY (${'identifiers'})`;

/** The faults of the ids of transactions that would be added: known ones are skipped, if the request asks for it. */
export function newTransactionIds(context: Context, request: unknown): Promise<FieldError[]> {
  const known = Object(request).check_previously_added === false ? undefined : STORED_TRANSACTION_IDS;
  return faultsOfNewIdentifiers(context, request, { ...transactionIdsIn(request), known });
}

export const STORED_REFERENCES = sql('stored-payment-reference', { identifier: 'text' })`
  SELECT reference AS identifier
  FROM payment_instructions
  WHERE account_import_id = ${'account_import_id'} AND reference = ANY (${'identifiers'})`;

/** The fault of a payment instruction's reference, unless the account already has it. */
export function newReference(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, { ...referenceIn(request), known: STORED_REFERENCES });
}
