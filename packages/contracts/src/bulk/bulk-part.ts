import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime } from '../formats.ts';

/** A part of an upload that is stored (behaviour 21.4). */
export const BulkPart = z
  .object({
    number: field(z.number(), 'The number of the part, from the path.', 7),
    bytes: field(z.number(), 'How many bytes were received, as they were sent.', 4012288),
    lines: field(z.number(), 'How many lines it has; blank lines do not count.', 5000),
    received_at: field(UtcDatetime, 'When it was stored, in UTC.', '2026-11-21T22:24:08Z'),
  })
  .apply(documented, 'BulkPart', 'A part of an upload that is stored.');
export type BulkPart = z.infer<typeof BulkPart>;

/** A part as the list of a job's parts has it (behaviour 21.4.10). */
export const StoredBulkPart = z
  .object({
    ...BulkPart.shape,
    content_digest: field(
      z.string(),
      'The SHA-256 of the bytes as they were sent, in the form of the header `Content-Digest` (RFC 9530).',
      'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    ),
  })
  .apply(documented, 'StoredBulkPart', 'A part of an upload that is stored, and the digest of its bytes.');
export type StoredBulkPart = z.infer<typeof StoredBulkPart>;

export const BulkJobPartsResponse = z
  .array(StoredBulkPart)
  .apply(documented, 'BulkJobPartsResponse', 'The parts of the job that are stored, in the order of their numbers.');
