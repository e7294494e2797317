import { createReadStream } from 'node:fs';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { bareLine, frameLines, PartRefusal, type PlacedLine, unpack } from '@causeway/book/lines';
import { Failure } from '../frame/failure.ts';
import { type BookBatch, type BookPlace, type BookSurroundings, MAX_LINE_BYTES, STANDARD_INPUT } from './book.ts';
import { refuseOtherForms } from './refuse-other-forms.ts';
import { unreadable } from './unreadable.ts';

const PIECE_BYTES = 262_144;
const MAX_BATCH_BYTES = 262_144;
const MAX_BATCH_LINES = 250;

/** What was read so far, as it lies on the disk and unpacked. */
export interface Progress {
  bytes: number;
  unpacked: number;
}

/** The batches of one file, from a place on. What was read of it is added to `progress`. */
export async function* readBatches(
  { name, place, takesCsv }: { name: string; place: BookPlace; takesCsv: boolean },
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
      if (isBeginning) refuseOtherForms(name, line.bytes, { takesCsv });
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
    if (error instanceof Failure) throw error;
    if (error instanceof PartRefusal) throw new Failure('usage', `${name}: ${error.message}`, { cause: error });
    throw unreadable(name, error as NodeJS.ErrnoException);
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
