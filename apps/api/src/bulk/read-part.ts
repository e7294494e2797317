import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import {
  accountNumberOf,
  cutBodies,
  type FramedLine,
  frameLines,
  PartRefusal,
  readManifestLine,
  unpack,
} from '@causeway/book';
import { type FieldError, LIMITS } from '@causeway/contracts';
import type { CutPart, NumberedLine, PartBody, ReadManifestPart } from '@causeway/domain';

/** A part as it was sent, for the thread that unpacks it. */
export interface SentPart {
  bytes: Uint8Array;
  /** The bytes are packed so. */
  encoding: 'identity' | 'gzip' | 'zstd';
  /** The `Content-Digest` header. */
  digest: string | undefined;
  maxLineBytes: number;
}

export interface PartLines {
  /** Of the bytes as they were sent. */
  sha256: Buffer;
  lines: AsyncGenerator<FramedLine>;
}

/** The lines of a part. Throws a `PartRefusal` if the digest is another one or, where they are read, bytes are damaged. */
export function openPart({ bytes, encoding, digest, maxLineBytes }: SentPart): PartLines {
  refuseOtherDigest(bytes, digest);
  const sha256 = createHash('sha256').update(bytes).digest();
  const unpacked = unpack([bytes], { encoding, maxBytes: LIMITS.bulk_part_bytes });
  return { sha256, lines: frameLines(unpacked, { maxLineBytes, maxLines: LIMITS.bulk_part_lines }) };
}

export function noLines(): PartRefusal {
  return new PartRefusal('The part has no lines.');
}

const DIGEST = /^(sha-256|sha-512)=:([A-Za-z0-9+/]+={0,2}):$/;
const KNOWN_ALGORITHM = /^sha-(?:256|512)(?:=|$)/i;

/**
 * RFC 9530: of the bytes as they were sent. Algorithms that we do not know say nothing to us, but one that we know must
 * be there: anyone who sends a digest relies on its being checked.
 */
function refuseOtherDigest(bytes: Uint8Array, header: string | undefined): void {
  if (header === undefined) return;
  const items = header.split(',').map((item) => item.trim());
  const digests = items.filter((item) => KNOWN_ALGORITHM.test(item)).map((item) => DIGEST.exec(item));
  if (digests.length === 0) throw unreadableDigest();
  for (const digest of digests) {
    if (digest === null) throw unreadableDigest();
    const [, algorithm = '', expected] = digest;
    const actual = createHash(algorithm.replace('-', '')).update(bytes).digest('base64');
    if (actual !== expected) {
      throw new PartRefusal(`The part is not what its Content-Digest says: its ${algorithm} differs.`);
    }
  }
}

function unreadableDigest(): PartRefusal {
  return new PartRefusal('Content-Digest must be sha-256=:<base64>: (or sha-512), of the bytes as they are sent.');
}

/** Unpacks a part and cuts it into bodies. It computes for seconds: in a thread. Throws a `PartRefusal`. */
export async function cutPart(sent: SentPart): Promise<{ part: CutPart; heldBytes: number }> {
  const { sha256, lines } = openPart(sent);
  const bodies: PartBody[] = [];
  let heldBytes = 0;
  for await (const { text, lines: framed, span } of cutBodies(lines)) {
    const accountNumbers = framed.map(({ bytes }) => accountNumberOf(bytes, sent.maxLineBytes) ?? null);
    const body = zstdCompressSync(text);
    bodies.push({ lines: framed.length, span, accountNumbers, body });
    heldBytes += body.length + framed.length * LIMITS.external_account_number;
  }
  if (bodies.length === 0) throw noLines();
  return { part: { bytes: sent.bytes.length, sha256, bodies }, heldBytes };
}

/**
 * Unpacks and reads a part of a manifest, in a thread; beyond as many problems as are reported it stops. Throws a
 * `PartRefusal`.
 */
export async function readManifestPart(
  sent: SentPart,
  importSupplier: string,
): Promise<{ part: ReadManifestPart; heldBytes: number }> {
  const opened = openPart({ ...sent, maxLineBytes: LIMITS.manifest_line_bytes });
  const lines: NumberedLine[] = [];
  const errors: FieldError[] = [];
  let heldBytes = 0;
  for await (const { number, bytes } of opened.lines) {
    if (bytes.length === 0) continue;
    heldBytes += bytes.length;
    const read = readManifestLine(bytes, { importSupplier });
    if ('line' in read) lines.push({ ...read.line, number });
    else errors.push(...read.errors.map((error) => inLine(number, error)));
    if (errors.length >= LIMITS.reported_errors) break;
  }
  if (lines.length === 0 && errors.length === 0) throw noLines();
  return { part: { bytes: sent.bytes.length, sha256: opened.sha256, lines, errors }, heldBytes };
}

function inLine(number: number, { attr, ...error }: FieldError): FieldError {
  return { ...error, attr: attr === '' ? `${number}` : `${number}.${attr}` };
}
