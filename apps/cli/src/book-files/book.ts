import { PartRefusal, type PlacedLine } from '@causeway/book/lines';
import { Failure } from '../frame/failure.ts';
import type { Surroundings } from '../frame/surroundings.ts';

/** A few lines of one file of a book, in their order. */
export interface BookBatch {
  /** Its place among the files, from 0. */
  file: number;
  /** Blank ones are left out. Of a failed row, `bytes` are the line that it holds, exactly as it stands there. */
  lines: PlacedLine[];
}

/** The first byte of a line of a file. */
export interface BookPlace {
  file: number;
  /** Of the file's unpacked bytes. */
  offset: number;
  /** The number of that line. */
  number: number;
}

export interface Book {
  /** The files by the names that they were given; `-` is standard input. */
  files: readonly string[];
  /** Bytes of all files as they lie on the disk; undefined if one of them is a stream. */
  bytes: number | undefined;
  /** How many of these were read so far. */
  read(): number;
  /** About how many bytes on the disk the first `unpacked` bytes of the file that is being read take. */
  bytesOnDisk(unpacked: number): number;
  /**
   * The lines, file after file, from the beginning or from a place on; offsets are those of the unpacked bytes of their
   * file. About a megabyte is held at a time, whatever the size of the book. Ends early once `stop` is aborted. Throws
   * a Failure for what cannot be read or unpacked.
   */
  batches(from?: BookPlace): AsyncGenerator<BookBatch>;
}

export type BookSurroundings = Pick<Surroundings, 'directory' | 'stdin' | 'stop'>;

/** The default of the service's MAX_BODY_BYTES: the most that a line may have. */
export const MAX_LINE_BYTES = 10_485_760;

/** The name of standard input, as a file of a book. */
export const STANDARD_INPUT = '-';

/** For files that have no flag for their encoding. */
export const AS_UTF8 = 'Write it again as UTF-8, such as: iconv -f WINDOWS-1252 -t UTF-8 FILE > FILE.utf8';

/** What it means for the user that a file cannot be read. */
export function unreadable(name: string, error: NodeJS.ErrnoException): Failure {
  const why = { ENOENT: 'there is no such file', EACCES: 'you may not read it' }[error.code ?? ''] ?? error.message;
  return new Failure('usage', `${name} cannot be read: ${why}.`, { cause: error });
}

/** What it means for the user that reading has failed. */
export function readFailure(name: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof PartRefusal) return new Failure('usage', `${name}: ${error.message}`, { cause: error });
  return unreadable(name, error as NodeJS.ErrnoException);
}

/** What was looked at already, then the rest. */
export async function* startingWith<Item>(first: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield first;
  yield* rest;
}
