import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

/** A file in a zip file, as the directory at its end says. */
export interface ZipEntry {
  name: string;
  isDeflated: boolean;
  packedBytes: number;
  bytes: number;
  checksum: number;
  /** Of its own header. */
  offset: number;
}

/** Thrown where a zip file is none, or is damaged. */
export class ZipDamage extends Error {
  override readonly name = 'ZipDamage';
}

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const DIRECTORY_END = Buffer.from('504b0506', 'hex');
const DIRECTORY_ENTRY = 0x02014b50;
const ENTRY_HEADER = 0x04034b50;
const ENTRY_HEADER_BYTES = 30;
const DEFLATED = 8;
const IS_ENCRYPTED = 1;

/** The files in a zip file. */
export async function zipEntriesOf(path: string, fileBytes: number): Promise<ZipEntry[]> {
  const tailBytes = Math.min(fileBytes, END_BYTES + MAX_COMMENT_BYTES);
  const tail = await bytesAt(path, fileBytes - tailBytes, tailBytes);
  const end = tail.lastIndexOf(DIRECTORY_END);
  if (end === -1 || end + END_BYTES > tail.length) throw new ZipDamage('its directory is missing');
  const directory = await bytesAt(path, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries: ZipEntry[] = [];
  for (let at = 0; at < directory.length; ) {
    if (directory.length - at < 46 || directory.readUInt32LE(at) !== DIRECTORY_ENTRY) {
      throw new ZipDamage('its directory cannot be read');
    }
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    if (directory.readUInt16LE(at + 8) & IS_ENCRYPTED) throw new ZipDamage('it is encrypted');
    entries.push({
      name: directory.toString('utf8', at + 46, nameEnd),
      isDeflated: directory.readUInt16LE(at + 10) === DEFLATED,
      checksum: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function bytesAt(path: string, offset: number, length: number): Promise<Buffer> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (offset < 0 || offset + length > size) throw new ZipDamage('it is cut off');
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
  return buffer;
}

/** The bytes of a file in a zip file. Throws a ZipDamage where they are not those that the directory says. */
export async function* unzipped(
  path: string,
  entry: ZipEntry,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let checksum = 0;
  try {
    for await (const piece of inflated(await packed(path, entry, onBytes), entry)) {
      bytes += piece.length;
      if (bytes > entry.bytes) throw new ZipDamage('a file in it is larger than it says');
      checksum = crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    const isOfZlib = /^Z_/.test((error as NodeJS.ErrnoException).code ?? '');
    throw isOfZlib ? new ZipDamage('it cannot be unpacked', { cause: error }) : error;
  }
  if (bytes !== entry.bytes || checksum !== entry.checksum) throw new ZipDamage('a file in it is not whole');
}

async function packed(path: string, { offset, packedBytes }: ZipEntry, onBytes: (bytes: number) => void) {
  const header = await bytesAt(path, offset, ENTRY_HEADER_BYTES);
  if (header.readUInt32LE(0) !== ENTRY_HEADER) throw new ZipDamage('its directory leads nowhere');
  const start = offset + ENTRY_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  async function* pieces(): AsyncGenerator<Buffer> {
    if (packedBytes === 0) return;
    for await (const piece of createReadStream(path, { start, end: start + packedBytes - 1 })) {
      onBytes(piece.length);
      yield piece;
    }
  }
  return pieces();
}

function inflated(pieces: AsyncIterable<Buffer>, { isDeflated }: ZipEntry): AsyncIterable<Buffer> {
  if (!isDeflated) return pieces;
  return pipeline(pieces, createInflateRaw(), () => {
    // What went wrong is thrown to anyone who reads it.
  });
}
