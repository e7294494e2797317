import type { FieldError } from '@causeway/contracts';
import { accountNumberIn } from '@causeway/rules';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';
import { STAGED_ACCOUNT_NUMBERS } from './new-account-number.sql.ts';

/** The fault of a payload's account number; none if an account was staged with it before. */
export function newAccountNumber(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, { ...accountNumberIn(request), known: STAGED_ACCOUNT_NUMBERS });
}
