import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { ImportSupplierCode, ImportSupplierCodeInPath, NamedInPath } from '../identifiers.ts';
import { LIMITS } from '../limits.ts';
import { afterLast, pageLimit } from '../paging.ts';
import { prose, text } from '../text.ts';
import { ManifestTotals } from './manifest-figures.ts';

export const exampleManifestId = '019a9d51-2f7e-7c10-9b42-8e0f6a1d3c55';
const manifestId = field(NamedInPath, 'The `id` of the manifest.', exampleManifestId);

export const sourceSystem = field(text(LIMITS.name), 'The system that counted.', 'Northwind billing');
export const asOf = field(UtcDatetime, 'As of when it counted, in UTC; not in the future.', '2026-04-16T22:00:00Z');
export const computedFromBook = field(
  z.boolean(),
  'Whether the figures were computed from the book that is sent, and not by the source: then the manifest proves that the book arrived, and not that it is complete. The report says so. Default: false.',
  false,
);

/** The request that creates a manifest (behaviour 22.1). */
export const CreateManifestRequest = z
  .object({
    import_supplier: ImportSupplierCode,
    source_system: sourceSystem,
    as_of: asOf,
    totals: ManifestTotals,
    computed_from_book: computedFromBook.default(false),
  })
  .apply(
    documented,
    'CreateManifestRequest',
    'Creates a manifest of an import supplier, with its totals. It is OPEN: upload its lines, then seal it.',
    'computed_from_book',
  );
export type CreateManifestRequest = z.output<typeof CreateManifestRequest>;

/** The request about one manifest. */
export const ManifestRequest = z
  .object({ manifest_id: manifestId })
  .apply(documented, 'ManifestRequest', 'Names a manifest.');
export type ManifestRequest = z.infer<typeof ManifestRequest>;

/** The request that withdraws a manifest (behaviour 22.4). */
export const WithdrawManifestRequest = ManifestRequest.extend({
  reason: optional(
    prose(LIMITS.staff_reason),
    'Why. The manifest and its audit trail have it.',
    'Counted before the last payments were booked.',
  ),
}).apply(documented, 'WithdrawManifestRequest', 'Withdraws a manifest.');
export type WithdrawManifestRequest = z.infer<typeof WithdrawManifestRequest>;

/** The request for the lines of a manifest (behaviour 22.4). */
export const ManifestLinesRequest = ManifestRequest.extend({
  limit: pageLimit('lines'),
  after: afterLast(NamedInPath, 'account number of the last line', 'NW-0001482'),
}).apply(documented, 'ManifestLinesRequest', 'Asks for the lines of a manifest.', 'after');
export type ManifestLinesRequest = z.infer<typeof ManifestLinesRequest>;

/** The request for the manifests of an import supplier (behaviour 22.4). */
export const ListManifestsRequest = z
  .object({
    import_supplier: ImportSupplierCodeInPath,
    limit: pageLimit('manifests'),
    after: afterLast(NamedInPath, '`id` of the last manifest', exampleManifestId),
  })
  .meta({
    id: 'ListManifestsRequest',
    description: 'Asks for the manifests of an import supplier, oldest first.',
    examples: [{ import_supplier: 'NORTHWIND-2026' }],
  });
export type ListManifestsRequest = z.infer<typeof ListManifestsRequest>;
