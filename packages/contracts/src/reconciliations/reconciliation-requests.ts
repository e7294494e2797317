import { z } from 'zod';
import { field } from '../field.ts';
import { ImportSupplierCodeInPath, lookupText } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { DifferenceField, DifferenceKind } from './difference.ts';
import { exampleReconciliationId } from './reconciliation.ts';

const exampleManifestId = '019a9d51-2f7e-7c10-9b42-8e0f6a1d3c55';
/** In a path: an id that does not exist, whatever its form, is answered with 404. */
const reconciliationId = field(
  lookupText(LIMITS.path_parameter),
  'The `id` of the reconciliation.',
  exampleReconciliationId,
);
const limit = (of: string) =>
  field(
    wholeNumber(1, LIMITS.list),
    `The maximum number of ${of} to return, 1 to ${limitText(LIMITS.list)}. While there are more, a \`Link\` header has the next page.`,
    100,
  ).optional();

/** The request that compares a manifest with what is stored (behaviour 23.5). */
export const CreateReconciliationRequest = z
  .object({
    manifest_id: field(lookupText(LIMITS.path_parameter), 'The `id` of a SEALED manifest.', exampleManifestId),
  })
  .meta({
    id: 'CreateReconciliationRequest',
    description: 'Compares a sealed manifest with what is stored of its import supplier.',
    examples: [{ manifest_id: exampleManifestId }],
  });
export type CreateReconciliationRequest = z.infer<typeof CreateReconciliationRequest>;

/** The request about one reconciliation. */
export const ReconciliationRequest = z.object({ reconciliation_id: reconciliationId }).meta({
  id: 'ReconciliationRequest',
  description: 'Names a reconciliation.',
  examples: [{ reconciliation_id: exampleReconciliationId }],
});
export type ReconciliationRequest = z.infer<typeof ReconciliationRequest>;

/** The request for the reconciliations of an import supplier (behaviour 23.5). */
export const ListReconciliationsRequest = z
  .object({
    import_supplier: ImportSupplierCodeInPath,
    limit: limit('reconciliations'),
    after: field(
      lookupText(LIMITS.path_parameter),
      'The `id` of the last reconciliation that you received; the list continues after it.',
      exampleReconciliationId,
    ).optional(),
  })
  .meta({
    id: 'ListReconciliationsRequest',
    description: 'Asks for the reconciliations of an import supplier, oldest first.',
    examples: [{ import_supplier: 'NORTHWIND-2026' }],
  });
export type ListReconciliationsRequest = z.infer<typeof ListReconciliationsRequest>;

/** The request for the differences that a reconciliation found (behaviour 23.5). */
export const ReconciliationDifferencesRequest = z
  .object({
    reconciliation_id: reconciliationId,
    kind: field(DifferenceKind, 'Only differences of this kind. Default: all.', 'DIFFERENT').optional(),
    field: field(
      DifferenceField,
      'Only differences of this figure, or `account`: accounts that are on one side only. Default: all.',
      'transactions_sum',
    ).optional(),
    limit: limit('differences'),
    after: field(
      lookupText(LIMITS.path_parameter),
      'The account number and the `field` of the last difference that you received, with a slash between them; the list continues after it.',
      'NW-0001482/notes',
    ).optional(),
  })
  .meta({
    id: 'ReconciliationDifferencesRequest',
    description: 'Asks for the differences that a reconciliation found.',
    examples: [{ reconciliation_id: exampleReconciliationId, kind: 'DIFFERENT' }],
  });
export type ReconciliationDifferencesRequest = z.infer<typeof ReconciliationDifferencesRequest>;
