import { type FieldError, LIMITS } from '@causeway/contracts';
import { checkVendor, faultyIdentifiers, identifiersInHistory } from '@causeway/rules';
import { newAccountNumber } from '../account-imports/new-account-number.ts';
import type { Context } from '../context.ts';

/**
 * The faults of a payload's account number, unless an account was staged with it before; those of the identifiers in
 * its history, which are all new; and that of a payment vendor that nobody has configured.
 */
export async function newAccount(context: Context, request: unknown): Promise<FieldError[]> {
  const ofNumber = await newAccountNumber(context, request);
  const ofHistory = identifiersInHistory(request).flatMap(faultyIdentifiers);
  const ofVendor = checkVendor(request, context.paymentVendors);
  const found = [...ofNumber, ...ofHistory.map(({ error }) => error), ...ofVendor];
  return found.slice(0, LIMITS.reported_errors);
}
