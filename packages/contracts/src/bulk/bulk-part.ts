import { z } from 'zod';
import { field } from '../field.ts';
import { UtcDatetime } from '../formats.ts';

const examplePart = { number: 7, bytes: 4012288, lines: 5000, received_at: '2026-11-21T22:24:08Z' };

/** A part of an upload that is stored (behaviour 21.4). */
export const BulkPart = z
  .object({
    number: field(z.number(), 'The number of the part, from the path.', examplePart.number),
    bytes: field(z.number(), 'How many bytes were received, as they were sent.', examplePart.bytes),
    lines: field(z.number(), 'How many lines it has; blank lines do not count.', examplePart.lines),
    received_at: field(UtcDatetime, 'When it was stored, in UTC.', examplePart.received_at),
  })
  .meta({ id: 'BulkPart', description: 'A part of an upload that is stored.', examples: [examplePart] });
export type BulkPart = z.infer<typeof BulkPart>;

const exampleStored = { ...examplePart, content_digest: 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:' };

/** A part as the list of a job's parts has it (behaviour 21.4.10). */
export const StoredBulkPart = z
  .object({
    ...BulkPart.shape,
    content_digest: field(
      z.string(),
      'The SHA-256 of the bytes as they were sent, in the form of the header `Content-Digest` (RFC 9530).',
      exampleStored.content_digest,
    ),
  })
  .meta({
    id: 'StoredBulkPart',
    description: 'A part of an upload that is stored, and the digest of its bytes.',
    examples: [exampleStored],
  });
export type StoredBulkPart = z.infer<typeof StoredBulkPart>;

export const BulkJobPartsResponse = z.array(StoredBulkPart).meta({
  id: 'BulkJobPartsResponse',
  description: 'The parts of the job that are stored, in the order of their numbers.',
  examples: [[exampleStored]],
});
export type BulkJobPartsResponse = z.infer<typeof BulkJobPartsResponse>;
