import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { bareLine, frameLines, type PlacedLine, unpack } from '@causeway/book/lines';
import { utf16In } from '../extract/survey-bytes.ts';
import { Failure } from '../frame/failure.ts';
import {
  AS_UTF8,
  type Book,
  type BookBatch,
  type BookPlace,
  type BookSurroundings,
  MAX_LINE_BYTES,
  readFailure,
  STANDARD_INPUT,
  unreadable,
} from './book.ts';

/** A list, or an object that continues on the next line. */
const JSON_DOCUMENT = /^\s*(?:(\[)|\{\s*$)/;
/** A line of a book has its account in an object. */
const CSV_HEADER = /^[^{]*\bexternal_account_number\b/;
const HEAD_BYTES = 4_096;

/** Refuses a file that has no lines of JSON, by its first line, in place of each line of it (behaviour 25.1.7). */
function refuseOtherForms(name: string, firstLine: Buffer): void {
  const utf16 = utf16In(firstLine.subarray(0, HEAD_BYTES));
  if (utf16 !== undefined) {
    const encoding = utf16.hasMark ? 'UTF-16' : utf16.encoding.toUpperCase();
    const lines = [`  ${AS_UTF8.replace('WINDOWS-1252', encoding)}`];
    throw new Failure('usage', `${name} is UTF-16: it has to be UTF-8.`, { lines });
  }
  const head = firstLine.toString('utf8', 0, HEAD_BYTES);
  const document = JSON_DOCUMENT.exec(head);
  if (document !== null) {
    const [, list] = document;
    throw new Failure('usage', `${name} is one JSON document: it has to be NDJSON, an account a line.`, {
      lines: [`  jq makes it so: jq -c '${list === undefined ? '.' : '.[]'}' FILE > book.ndjson`],
    });
  }
  if (!CSV_HEADER.test(head)) return;
  throw new Failure('usage', `${name} is CSV: a book is NDJSON, an account a line.`, {
    lines: ['  causeway convert makes a book of CSV files, in the form of: causeway sample --csv sample'],
  });
}

const PIECE_BYTES = 262_144;
const MAX_BATCH_BYTES = 262_144;
const MAX_BATCH_LINES = 250;

/** What was read so far, as it lies on the disk and unpacked. */
interface Progress {
  bytes: number;
  unpacked: number;
}

/** The batches of one file, from a place on. What was read of it is added to `progress`. */
async function* readBatches(
  { name, place }: { name: string; place: BookPlace },
  surroundings: BookSurroundings,
  progress: Progress,
): AsyncGenerator<BookBatch> {
  const { file, offset, number } = place;
  try {
    const packed = counted(openStream(name, surroundings), (bytes) => {
      progress.bytes += bytes;
    });
    const unpacked = counted(unpack(packed), (bytes) => {
      progress.unpacked += bytes;
    });
    let batch = new OpenBatch();
    let isBeginning = offset === 0;
    for await (const line of frameLines(from(offset, unpacked), { maxLineBytes: MAX_LINE_BYTES })) {
      if (line.bytes.length === 0) continue;
      if (isBeginning) refuseOtherForms(name, line.bytes);
      isBeginning = false;
      batch.add({ number: number - 1 + line.number, offset: offset + line.offset, bytes: bareLine(line.bytes) });
      if (batch.isFull) {
        yield { file, lines: batch.lines };
        batch = new OpenBatch();
      }
    }
    if (batch.lines.length > 0) yield { file, lines: batch.lines };
  } catch (error) {
    if (surroundings.stop.aborted) return;
    throw readFailure(name, error);
  }
}

class OpenBatch {
  readonly lines: PlacedLine[] = [];
  #bytes = 0;

  add(line: PlacedLine): void {
    this.lines.push(line);
    this.#bytes += line.bytes.length;
  }

  get isFull(): boolean {
    return this.lines.length === MAX_BATCH_LINES || this.#bytes >= MAX_BATCH_BYTES;
  }
}

function openStream(name: string, { directory, stdin, stop }: BookSurroundings): AsyncIterable<Uint8Array | string> {
  const stream =
    name === STANDARD_INPUT ? stdin : createReadStream(path.resolve(directory, name), { highWaterMark: PIECE_BYTES });
  return addAbortSignal(stop, stream);
}

async function* counted(
  pieces: AsyncIterable<Uint8Array | string>,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    count(piece.length);
    yield typeof piece === 'string' ? Buffer.from(piece) : piece;
  }
}

/** Without the first bytes: what was packed can only be read from its beginning. */
async function* from(offset: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = offset;
  for await (const piece of pieces) {
    if (left < piece.length) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

const BEGINNING: BookPlace = { file: 0, offset: 0, number: 1 };

/**
 * Opens the files of a book: NDJSON, as it is or packed with gzip or zstd, whatever their names say (behaviour 25.1.7).
 * All are looked at before the first one is read: a Failure says which of them is missing or cannot be one.
 */
export async function openBook(files: readonly string[], surroundings: BookSurroundings): Promise<Book> {
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
          yield* readBatches({ name, place }, surroundings, progress);
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
