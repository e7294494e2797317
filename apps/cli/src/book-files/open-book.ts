import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../frame/failure.ts';
import { type Book, type BookPlace, type BookSurroundings, STANDARD_INPUT } from './book.ts';
import { readBatches } from './read-batches.ts';
import { unreadable } from './unreadable.ts';

const BEGINNING: BookPlace = { file: 0, offset: 0, number: 1 };

/**
 * Opens the files of a book: NDJSON, as it is or packed with gzip or zstd, whatever their names say (behaviour 25.1.7).
 * All are looked at before the first one is read: a Failure says which of them is missing or cannot be one.
 *
 * @param form `takesCsv`: the caller reads the lines of a CSV file too
 */
export async function openBook(
  files: readonly string[],
  surroundings: BookSurroundings,
  form = { takesCsv: false },
): Promise<Book> {
  const streams = files.filter((name) => name === STANDARD_INPUT);
  if (streams.length > 1) throw new Failure('usage', 'Standard input can be read once: name - once.');
  const sizes = await Promise.all(files.map((name) => sizeOf(name, surroundings)));
  const isSized = sizes.every((size) => size !== undefined);
  const progress = { bytes: 0, unpacked: 0 };
  return {
    files,
    bytes: isSized ? sizes.reduce((sum, size) => sum + size, 0) : undefined,
    read: () => progress.bytes,
    bytesOnDisk: (unpacked) => (unpacked * progress.bytes) / Math.max(1, progress.unpacked),
    async *batches(from = BEGINNING) {
      for (const [file, name] of files.entries()) {
        if (file < from.file) progress.bytes += sizes[file] ?? 0;
        else {
          const place = file === from.file ? from : { ...BEGINNING, file };
          yield* readBatches({ name, place, ...form }, surroundings, progress);
        }
      }
    },
  };
}

/** Undefined of what has none, such as a pipe. */
async function sizeOf(name: string, { directory }: BookSurroundings): Promise<number | undefined> {
  if (name === STANDARD_INPUT) return undefined;
  const file = path.resolve(directory, name);
  const stats = await stat(file).catch((error) => {
    throw unreadable(name, error);
  });
  if (stats.isDirectory()) throw new Failure('usage', `${name} is a folder: name the files in it.`);
  await access(file, constants.R_OK).catch((error) => {
    throw unreadable(name, error);
  });
  return stats.isFile() ? stats.size : undefined;
}
