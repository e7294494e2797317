import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { ManifestTotals } from './manifest-figures.ts';
import { asOf, computedFromBook, exampleManifestId, sourceSystem } from './manifest-requests.ts';

/** How far a manifest is (behaviour 22.1). */
export const ManifestState = z.enum(['OPEN', 'SEALED', 'WITHDRAWN']);
export type ManifestState = z.infer<typeof ManifestState>;

/** Who has sealed a manifest. */
const LodgedBy = z.object({
  kind: field(z.enum(['supplier', 'staff']), 'Whose API key it was.', 'supplier'),
  api_key_label: field(z.string(), 'What the key is for.', 'Northwind migration, live'),
  person: field(z.string().nullable(), 'The person to whom the key was issued; null if it names none.', null),
});

const identity = {
  id: field(Uuid, 'The id of the manifest.', exampleManifestId),
  import_supplier: field(z.string(), 'The code of its import supplier.', 'NORTHWIND-2026'),
  source_system: sourceSystem,
  as_of: asOf,
  state: field(
    ManifestState,
    'OPEN: takes parts. SEALED: its lines add up to its totals, and nothing of it changes any more. WITHDRAWN: nothing is compared with it any more, and its lines are removed.',
    'SEALED',
  ),
  totals: field(ManifestTotals, 'What the source has altogether, as it was lodged.'),
  computed_from_book: computedFromBook,
  lodged_before_load: field(
    z.boolean().nullable(),
    'Whether it was sealed before the first account of the import supplier was created; null until it is sealed.',
    true,
  ),
  digest: field(
    z.string().nullable(),
    'SHA-256, in hexadecimal digits, of the SHA-256 digests of its parts as they were sent: each in hexadecimal digits and ended by a line feed, in the order of their numbers. Null until it is sealed.',
    '5a0b1c6f5f0e3f5b6e3f0f6f8f7a1a0f4f4d2d3c7e8b9a0b1c2d3e4f5a6b7c8d',
  ),
  created_at: field(UtcDatetime, 'When it was created, in UTC.', '2026-04-16T22:30:04Z'),
  sealed_at: field(UtcDatetime.nullable(), 'When it was sealed, in UTC; otherwise null.', '2026-04-16T22:41:19Z'),
  lodged_by: field(LodgedBy.nullable(), 'Who sealed it; null until it is sealed.'),
  withdrawn_at: field(UtcDatetime.nullable(), 'When it was withdrawn, in UTC; otherwise null.', null),
  withdrawn_reason: field(
    z.string().nullable(),
    'Why it was withdrawn; null if no reason was given, or if it was not withdrawn.',
    null,
  ),
};

/** A manifest and what was received of it (behaviour 22.4). */
export const Manifest = z
  .object({
    ...identity,
    parts: field(z.number(), 'How many parts were received.', 1),
    missing_parts: field(
      z.array(z.number()),
      `The numbers below the highest one received that are missing, at most the first ${limitText(LIMITS.bulk_missing_parts)}.`,
    ),
    lines: field(z.number(), 'How many lines were received; blank lines do not count.', 1),
  })
  .apply(documented, 'Manifest', 'A manifest and what was received of it.');
export type Manifest = z.infer<typeof Manifest>;

/** A manifest in a list (behaviour 22.4). */
export const ManifestRecord = z.object(identity).apply(documented, 'ManifestRecord', 'A manifest.');
export type ManifestRecord = z.infer<typeof ManifestRecord>;

export const ListManifestsResponse = z
  .array(ManifestRecord)
  .apply(documented, 'ListManifestsResponse', 'The manifests of the import supplier, oldest first.');
