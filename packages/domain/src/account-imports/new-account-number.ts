import { AccountPayload, type FieldError } from '@causeway/contracts';
import { statement } from '@causeway/db';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';

const STAGED_BEFORE = statement(
  'staged-account-number',
  `SELECT external_account_number AS identifier FROM account_imports
  WHERE id = $1 AND external_account_number = ANY ($2)`,
);

/** What is wrong with the account number of a payload; nothing where an account was staged with it before. */
export function newAccountNumber(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, {
    identifiers: [{ attr: 'external_account_number', value: Object(request).external_account_number }],
    schema: AccountPayload.shape.external_account_number,
    known: STAGED_BEFORE,
  });
}
