import { type FieldError, ImportPaymentInstructionRequest } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';
import { STORED_REFERENCES } from './new-reference.sql.ts';

/** The fault of a payment instruction's reference, unless the account already has it. */
export function newReference(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, {
    identifiers: [{ attr: 'reference', value: Object(request).reference }],
    schema: ImportPaymentInstructionRequest.shape.reference,
    known: STORED_REFERENCES,
  });
}
