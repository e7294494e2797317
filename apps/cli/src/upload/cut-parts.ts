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

const LINE_FEED = Buffer.from('\n');

/**
 * Cuts a book into parts of at most 5,000 lines and 32 MiB, always at the same lines. Blank lines are sent as they are
 * numbered, so that results name the lines of the file. What was not read to its end because of `stop` is no part.
 */
export async function* cutParts(book: Book, stop: AbortSignal): AsyncGenerator<Part> {
  let part = new OpenPart(1, 1);
  for await (const { file, lines } of book.batches()) {
    for (const line of lines) {
      if (part.isFull(line)) {
        yield part.close(book.read());
        part = new OpenPart(part.number + 1, part.nextLine);
      }
      part.add(line, book.files[file] ?? '');
    }
  }
  if (part.lines > 0 && !stop.aborted) yield part.close(book.read());
}

class OpenPart {
  readonly number: number;
  readonly #firstLine: number;
  nextLine: number;
  lines = 0;
  readonly #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(number: number, firstLine: number) {
    this.number = number;
    this.#firstLine = firstLine;
    this.nextLine = firstLine;
  }

  isFull({ number, bytes }: PlacedLine): boolean {
    const isLong = number - this.#firstLine >= MAX_PART_LINES;
    return this.lines > 0 && (isLong || this.#bytes + bytes.length >= MAX_PART_BYTES);
  }

  add({ number, bytes }: PlacedLine, file: string): void {
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
