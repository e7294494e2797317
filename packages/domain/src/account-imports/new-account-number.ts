import { AccountPayload, type FieldError, type TextFault } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';
import { STAGED_ACCOUNT_NUMBERS } from './new-account-number.sql.ts';

/** The fault of a payload's account number; none if an account was staged with it before. */
export function newAccountNumber(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, {
    identifiers: [{ attr: 'external_account_number', value: Object(request).external_account_number }],
    schema: AccountPayload.shape.external_account_number,
    known: STAGED_ACCOUNT_NUMBERS,
    faultOf: (value) => (value === '.' || value === '..' ? STEP_OF_A_PATH : undefined),
  });
}

const STEP_OF_A_PATH: TextFault = {
  code: 'invalid',
  detail: 'Must not be "." or "..": HTTP clients leave them out of a path, so that the account could not be asked for.',
};
