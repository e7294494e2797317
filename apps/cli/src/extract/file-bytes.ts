import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { unpack } from '@causeway/book/lines';
import { readFailure, unreadable } from '../book-files/book.ts';
import { Failure } from '../frame/failure.ts';

/** A file as it was when it was opened. */
export interface OpenedFile {
  /** As the command names it. */
  name: string;
  path: string;
  /** As it lies on the disk. */
  bytes: number;
  /** When it was changed last. */
  changedMs: number;
}

const PIECE_BYTES = 262_144;

/** @throws Failure where there is no such file, or it has nothing that could be read twice */
export async function openFile({ name, path }: Pick<OpenedFile, 'name' | 'path'>): Promise<OpenedFile> {
  const found = await stat(path).catch((error) => {
    throw unreadable(name, error);
  });
  if (found.isDirectory()) throw new Failure('usage', `${name} is a folder: name the files in it.`);
  if (!found.isFile())
    throw new Failure('usage', `${name} is no file, and is read more than once: write it to a file.`);
  if (found.size === 0) throw isEmpty(name);
  return { name, path, bytes: found.size, changedMs: found.mtimeMs };
}

/** What is said of a file without any row. */
export function isEmpty(name: string): Failure {
  const lines = ['  To see the expected form: causeway sample --csv sample'];
  return new Failure('usage', `${name} is empty: it needs a header.`, { lines });
}

/**
 * The bytes of a file, unpacked where it is gzip or zstd.
 *
 * @param onBytes told of those that were read from the disk
 * @throws Failure where it cannot be read or unpacked, or has changed since it was opened
 */
export async function* bytesOf(file: OpenedFile, onBytes: (bytes: number) => void = () => {}) {
  try {
    yield* unpack(packedBytesOf(file, onBytes));
    await refuseChanged(file);
  } catch (error) {
    throw readFailure(file.name, error);
  }
}

async function* packedBytesOf({ path }: OpenedFile, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    onBytes(piece.length);
    yield piece;
  }
}

/** @throws Failure where a file is another one than that which was opened */
export async function refuseChanged({ name, path, bytes, changedMs }: OpenedFile): Promise<void> {
  const now = await stat(path);
  if (now.size === bytes && now.mtimeMs === changedMs) return;
  throw new Failure('usage', `${name} has changed while it was read. Run the command again when nothing writes to it.`);
}
