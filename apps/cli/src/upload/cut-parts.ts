import type { PlacedLine } from '@causeway/book/lines';
import type { Book } from '../book-files/book.ts';
import { Failure } from '../frame/failure.ts';
import { grouped } from '../terminal/grouped.ts';

/** Some lines of a book that are sent together. */
export interface Part {
  /** From 1. */
  number: number;
  /** Without blank ones. */
  lines: number;
  bytes: Buffer<ArrayBuffer>;
  /** How far the files of the book were read when it was cut, in bytes on the disk. */
  readBytes: number;
}

const MAX_PART_LINES = 5_000;
const MAX_PART_BYTES = 33_554_432;
/** What the service takes, blank lines included. */
const MAX_SENT_LINES = 10_000;

type NumberedLine = Pick<PlacedLine, 'number' | 'bytes'>;

const LINE_FEED = Buffer.from('\n');

/** Then a part has one line. */
export const MOST_HALVINGS = Math.floor(Math.log2(MAX_PART_LINES));

/**
 * Cuts a book into parts of at most 5,000 lines and 32 MiB, `halvings` times halved, always at the same lines. Blank lines are sent as they are
 * numbered, so that results name the lines of the file. What was not read to its end because of `stop` is no part.
 */
export async function* cutParts(book: Book, stop: AbortSignal, halvings: number): AsyncGenerator<Part> {
  let part = new OpenPart({ number: 1, nextLine: 1, halvings });
  for await (const { file, lines } of book.batches()) {
    for (const line of lines) {
      if (part.isFull(line)) {
        yield part.close(book.read());
        part = new OpenPart({ number: part.number + 1, nextLine: part.nextLine, halvings });
      }
      part.add(line, book.files[file] ?? '');
    }
  }
  if (part.lines > 0 && !stop.aborted) yield part.close(book.read());
}

/** The first part of the same book, if its parts are halved as often. */
export function firstHalved(first: Part, halvings: number): Part {
  const part = new OpenPart({ number: 1, nextLine: 1, halvings });
  for (let start = 0, number = 1; start < first.bytes.length; number += 1) {
    const end = first.bytes.indexOf(LINE_FEED, start);
    const line = { number, bytes: first.bytes.subarray(start, end) };
    start = end + 1;
    if (line.bytes.length === 0) continue;
    if (part.isFull(line)) break;
    part.add(line, '');
  }
  return part.close(first.readBytes);
}

class OpenPart {
  readonly number: number;
  readonly #firstLine: number;
  nextLine: number;
  lines = 0;
  readonly #pieces: Buffer[] = [];
  readonly #halvings: number;
  #bytes = 0;

  constructor({ number, nextLine, halvings }: { number: number; nextLine: number; halvings: number }) {
    this.number = number;
    this.#firstLine = nextLine;
    this.nextLine = nextLine;
    this.#halvings = halvings;
  }

  isFull({ number, bytes }: NumberedLine): boolean {
    const isLong = number - this.#firstLine >= MAX_PART_LINES >> this.#halvings;
    return this.lines > 0 && (isLong || this.#bytes + bytes.length >= MAX_PART_BYTES >> this.#halvings);
  }

  add({ number, bytes }: NumberedLine, file: string): void {
    if (number - this.#firstLine >= MAX_SENT_LINES) {
      const blank = grouped(number - this.nextLine);
      throw new Failure('usage', `${file} has ${blank} blank lines in front of line ${grouped(number)}: remove them.`);
    }
    for (; this.nextLine < number; this.nextLine += 1) this.#append(LINE_FEED);
    this.#append(bytes);
    this.#append(LINE_FEED);
    this.nextLine += 1;
    this.lines += 1;
  }

  close(readBytes: number): Part {
    return { number: this.number, lines: this.lines, bytes: Buffer.concat(this.#pieces, this.#bytes), readBytes };
  }

  #append(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
  }
}
