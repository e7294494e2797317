import { Manifest, ManifestLinesResponse, ManifestRecord } from '@causeway/contracts';
import type { z } from 'zod';

const exampleOf = (schema: z.ZodType) => schema.meta()?.examples?.[0];
const sealed = exampleOf(Manifest) as Manifest;
const unsealed = { state: 'OPEN', digest: null, lodged_before_load: null, sealed_at: null, lodged_by: null };
const open = { ...sealed, ...unsealed, parts: 0, lines: 0 };
const reason = 'Counted before the last payments were booked.';
const withdrawn = { ...sealed, state: 'WITHDRAWN', withdrawn_at: '2026-04-17T09:30:12Z', withdrawn_reason: reason };

const one = (summary: string, value: unknown) => ({ responses: { 200: { example: { summary, value } } } });
const NO_FIELDS = { empty: { summary: 'An empty object', value: {} } };

/** By operationId: one manifest from its creation to its end. */
export const MANIFEST_EXAMPLES = {
  createManifest: {
    request: {
      totals: {
        summary: 'What the source has altogether',
        value: {
          import_supplier: 'NORTHWIND-2026',
          source_system: 'Northwind billing',
          as_of: sealed.as_of,
          totals: sealed.totals,
        },
      },
    },
    responses: { 201: { open: { summary: 'Created', value: open } } },
  },
  sealManifest: { request: NO_FIELDS, ...one('Sealed', sealed) },
  withdrawManifest: {
    request: { ...NO_FIELDS, reason: { summary: 'With a reason', value: { reason } } },
    ...one('Withdrawn', withdrawn),
  },
  manifest: one('A manifest that is sealed', sealed),
  manifestLines: one('One line', exampleOf(ManifestLinesResponse)),
  listManifests: one('One manifest', [exampleOf(ManifestRecord)]),
};
