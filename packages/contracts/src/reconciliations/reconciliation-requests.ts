import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { ImportSupplierCodeInPath, NamedInPath } from '../identifiers.ts';
import { afterLast, pageLimit } from '../paging.ts';
import { DifferenceField, DifferenceKind } from './difference.ts';
import { exampleReconciliationId } from './reconciliation.ts';

const exampleManifestId = '019a9d51-2f7e-7c10-9b42-8e0f6a1d3c55';
const reconciliationId = field(NamedInPath, 'The `id` of the reconciliation.', exampleReconciliationId);

/** The request that compares a manifest with what is stored (behaviour 23.5). */
export const CreateReconciliationRequest = z
  .object({
    manifest_id: field(NamedInPath, 'The `id` of a SEALED manifest.', exampleManifestId),
  })
  .apply(
    documented,
    'CreateReconciliationRequest',
    'Compares a sealed manifest with the stored accounts of its import supplier.',
  );
export type CreateReconciliationRequest = z.infer<typeof CreateReconciliationRequest>;

/** The request about one reconciliation. */
export const ReconciliationRequest = z
  .object({ reconciliation_id: reconciliationId })
  .apply(documented, 'ReconciliationRequest', 'Names a reconciliation.');
export type ReconciliationRequest = z.infer<typeof ReconciliationRequest>;

/** The request for the reconciliations of an import supplier (behaviour 23.5). */
export const ListReconciliationsRequest = z
  .object({
    import_supplier: ImportSupplierCodeInPath,
    limit: pageLimit('reconciliations'),
    after: afterLast(NamedInPath, '`id` of the last reconciliation', exampleReconciliationId),
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
    kind: optional(DifferenceKind, 'Only differences of this kind. Default: all.', 'DIFFERENT'),
    field: optional(
      DifferenceField,
      'Only differences of this figure, or `account`: accounts that are on one side only. Default: all.',
      'transactions_sum',
    ),
    limit: pageLimit('differences'),
    after: optional(
      NamedInPath,
      'The account number and the `field` of the last difference that you received, with a slash between them; the list continues after it.',
      'NW-0001482/notes',
    ),
  })
  .meta({
    id: 'ReconciliationDifferencesRequest',
    description: 'Asks for the differences that a reconciliation found.',
    examples: [{ reconciliation_id: exampleReconciliationId, kind: 'DIFFERENT' }],
  });
export type ReconciliationDifferencesRequest = z.infer<typeof ReconciliationDifferencesRequest>;
