import type { FieldError } from '@causeway/contracts';
import { referenceIn } from '@causeway/rules';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';
import { STORED_REFERENCES } from './new-reference.sql.ts';

/** The fault of a payment instruction's reference, unless the account already has it. */
export function newReference(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, { ...referenceIn(request), known: STORED_REFERENCES });
}
