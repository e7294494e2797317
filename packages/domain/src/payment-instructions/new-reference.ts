import { type FieldError, ImportPaymentInstructionRequest } from '@causeway/contracts';
import { statement } from '@causeway/db';
import type { Context } from '../context.ts';
import { faultsOfNewIdentifiers } from '../new-identifiers.ts';

const STORED_BEFORE = statement(
  'stored-payment-reference',
  `SELECT reference AS identifier FROM payment_instructions WHERE account_import_id = $1 AND reference = ANY ($2)`,
);

/** What is wrong with the reference of a payment instruction, unless it is that of the account's own. */
export function newReference(context: Context, request: unknown): Promise<FieldError[]> {
  return faultsOfNewIdentifiers(context, request, {
    identifiers: [{ attr: 'reference', value: Object(request).reference }],
    schema: ImportPaymentInstructionRequest.shape.reference,
    known: STORED_BEFORE,
  });
}
