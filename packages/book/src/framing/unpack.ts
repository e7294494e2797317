import { pipeline } from 'node:stream';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { limitText } from '@causeway/contracts/limits';
import { PartRefusal } from './part-refusal.ts';

export interface UnpackOptions {
  /** How the bytes are packed; if it is absent or `identity`, their first bytes say whether they are. */
  encoding?: 'identity' | 'gzip' | 'zstd';
  /** More bytes than these, unpacked, are refused as soon as they appear. */
  maxBytes?: number;
}

const PIECE_BYTES = 65_536;
/** 8 MiB, the most that a sender may ask of anyone who unpacks zstd (RFC 9659). */
const ZSTD_WINDOW_LOG = 23;
/** Before this version, Node takes a file of several frames, or one that was cut off, for a shorter one that is whole. */
const NODE_THAT_READS_ZSTD = 26;
const GZIP_MAGIC = Buffer.from('1f8b', 'hex');
const ZSTD_MAGIC = Buffer.from('28b52ffd', 'hex');

/**
 * Unpacks gzip and zstd, of one or several members or frames, piece by piece as they are asked for (behaviour 21.2).
 * Anyone who stops asking stops the unpacking. Throws a `PartRefusal` for bytes that are cut off, damaged, followed by
 * others, or too many.
 */
export async function* unpack(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { encoding, maxBytes = Number.POSITIVE_INFINITY }: UnpackOptions = {},
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of unpacked(pieces, encoding)) {
    bytes += piece.length;
    if (bytes > maxBytes) {
      throw new PartRefusal(
        `There are more than ${limitText(maxBytes)} bytes after decompression: split the book into smaller parts.`,
      );
    }
    yield piece;
  }
}

async function* unpacked(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  encoding: UnpackOptions['encoding'],
): AsyncGenerator<Uint8Array> {
  const { first, rest } = await readStart(pieces);
  const all = joinedAgain(first, rest);
  const packing = encoding === undefined || encoding === 'identity' ? packingOf(first) : encoding;
  if (packing === undefined) {
    yield* all;
    return;
  }
  const decoder = packing === 'gzip' ? gunzip() : unzstd();
  pipeline(all, decoder, () => {
    // What went wrong is thrown by the decoder, to anyone who reads it.
  });
  try {
    for await (const piece of decoder) yield piece as Buffer;
  } catch (error) {
    throw isOfPacking(error) ? damaged(packing, error) : error;
  }
}

function gunzip() {
  return createGunzip({ chunkSize: PIECE_BYTES });
}

function unzstd() {
  if (Number.parseInt(process.versions.node, 10) < NODE_THAT_READS_ZSTD) {
    throw new PartRefusal(
      `Node ${process.versions.node} does not notice if a zstd file was cut off. Use Node ${NODE_THAT_READS_ZSTD}, or unpack the file first with zstd -d.`,
    );
  }
  const params = { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG };
  return createZstdDecompress({ chunkSize: PIECE_BYTES, rejectGarbageAfterEnd: true, params });
}

function packingOf(start: Buffer): 'gzip' | 'zstd' | undefined {
  if (start.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC)) return 'gzip';
  return start.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC) ? 'zstd' : undefined;
}

async function readStart(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const rest = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  let first: Buffer = Buffer.alloc(0);
  while (first.length < ZSTD_MAGIC.length) {
    const { done, value } = await rest.next();
    if (done) break;
    first =
      first.length === 0 ? Buffer.from(value.buffer, value.byteOffset, value.length) : Buffer.concat([first, value]);
  }
  return { first, rest };
}

async function* joinedAgain(first: Buffer, rest: AsyncIterator<Uint8Array> | Iterator<Uint8Array>) {
  try {
    if (first.length > 0) yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function isOfPacking(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && /^(?:Z_|ZSTD_|ERR_TRAILING_JUNK)/.test(code);
}

function damaged(packing: 'gzip' | 'zstd', cause: unknown): PartRefusal {
  const { code } = Object(cause) as { code?: unknown };
  const reason =
    code === 'ZSTD_error_frameParameter_windowTooLarge'
      ? 'its window is larger than 8 MiB: pack it without --long or --ultra'
      : 'it is cut off, damaged, or followed by something else';
  return new PartRefusal(`This cannot be unpacked as ${packing}: ${reason}.`, { cause });
}
