import { z } from 'zod';
import { field } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { ImportSupplierCode, ImportSupplierCodeInPath, lookupText } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { prose, text } from '../text.ts';
import { exampleTotals, ManifestTotals } from './manifest-figures.ts';

export const exampleManifestId = '019a9d51-2f7e-7c10-9b42-8e0f6a1d3c55';
/** A manifest in a path: an id that does not exist, whatever its form, is answered with 404. */
const manifestId = field(lookupText(LIMITS.path_parameter), 'The `id` of the manifest.', exampleManifestId);

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
  .meta({
    id: 'CreateManifestRequest',
    description:
      'Creates a manifest of an import supplier, with its totals. It is OPEN: upload its lines, then seal it.',
    examples: [
      {
        import_supplier: 'NORTHWIND-2026',
        source_system: 'Northwind billing',
        as_of: '2026-04-16T22:00:00Z',
        totals: exampleTotals,
      },
    ],
  });
export type CreateManifestRequest = z.output<typeof CreateManifestRequest>;

/** The request about one manifest. */
export const ManifestRequest = z.object({ manifest_id: manifestId }).meta({
  id: 'ManifestRequest',
  description: 'Names a manifest.',
  examples: [{ manifest_id: exampleManifestId }],
});
export type ManifestRequest = z.infer<typeof ManifestRequest>;

/** The request that withdraws a manifest (behaviour 22.4). */
export const WithdrawManifestRequest = ManifestRequest.extend({
  reason: field(
    prose(LIMITS.staff_reason),
    'Why. The manifest and its audit trail have it.',
    'Counted before the last payments were booked.',
  ).optional(),
}).meta({
  id: 'WithdrawManifestRequest',
  description: 'Withdraws a manifest.',
  examples: [{ manifest_id: exampleManifestId, reason: 'Counted before the last payments were booked.' }],
});
export type WithdrawManifestRequest = z.infer<typeof WithdrawManifestRequest>;

/** The request for the lines of a manifest (behaviour 22.4). */
export const ManifestLinesRequest = ManifestRequest.extend({
  limit: field(
    wholeNumber(1, LIMITS.list),
    `The maximum number of lines to return, 1 to ${limitText(LIMITS.list)}. While there are more, a \`Link\` header has the next page.`,
    100,
  ).optional(),
  after: field(
    lookupText(LIMITS.path_parameter),
    'The account number of the last line that you received; the list continues after it.',
    'NW-0001482',
  ).optional(),
}).meta({
  id: 'ManifestLinesRequest',
  description: 'Asks for the lines of a manifest.',
  examples: [{ manifest_id: exampleManifestId, limit: 100 }],
});
export type ManifestLinesRequest = z.infer<typeof ManifestLinesRequest>;

/** The request for the manifests of an import supplier (behaviour 22.4). */
export const ListManifestsRequest = z
  .object({
    import_supplier: ImportSupplierCodeInPath,
    limit: field(
      wholeNumber(1, LIMITS.list),
      `The maximum number of manifests to return, 1 to ${limitText(LIMITS.list)}. While there are more, a \`Link\` header has the next page.`,
      100,
    ).optional(),
    after: field(
      lookupText(LIMITS.path_parameter),
      'The `id` of the last manifest that you received; the list continues after it.',
      exampleManifestId,
    ).optional(),
  })
  .meta({
    id: 'ListManifestsRequest',
    description: 'Asks for the manifests of an import supplier, oldest first.',
    examples: [{ import_supplier: 'NORTHWIND-2026' }],
  });
export type ListManifestsRequest = z.infer<typeof ListManifestsRequest>;
