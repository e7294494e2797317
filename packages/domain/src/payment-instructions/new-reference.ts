import { type FieldError, ImportPaymentInstructionRequest } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';
import { STORED_REFERENCES } from './new-reference.sql.ts';

/** What is wrong with the reference of a payment instruction, unless it is that of the account's own. */
export function newReference(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, {
    identifiers: [{ attr: 'reference', value: Object(request).reference }],
    schema: ImportPaymentInstructionRequest.shape.reference,
    known: STORED_REFERENCES,
  });
}
