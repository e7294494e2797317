import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type { PlacedLine } from '@causeway/book/lines';
import type { Book } from '../book-files/book.ts';
import { Failure } from '../frame/failure.ts';
import { grouped } from '../terminal/numbers.ts';

/** Some lines of a book that are sent together. */
export interface Part {
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

/**
 * Cuts a book into parts of at most 5,000 lines and 32 MiB, always at the same lines. Blank lines are sent as they are
 * numbered, so that results name the lines of the file. What was not read to its end because of `stop` is no part.
 */
export async function* cutParts(book: Book, stop: AbortSignal): AsyncGenerator<Part> {
  let part = new OpenPart(1, 0);
  for await (const { file, lines } of book.batches()) {
    for (const line of lines) {
      if (part.isFull(line)) {
        yield part.close(book.read());
        part = new OpenPart(part.nextLine, 0);
      }
      part.add(line, book.files[file] ?? '');
    }
  }
  if (part.lines > 0 && !stop.aborted) yield part.close(book.read());
}

/** The first lines of a part, as many as the limits allow that are so often halved, and those behind them, if any. */
export function halved(whole: Part, halvings: number): { part: Part; behind: Part | undefined } {
  if (halvings === 0) return { part: whole, behind: undefined };
  const { readBytes } = whole;
  const open = new OpenPart(1, halvings);
  for (let start = 0, line = 1; start < whole.bytes.length; line += 1) {
    const end = whole.bytes.indexOf(LINE_FEED, start);
    const bytes = whole.bytes.subarray(start, end);
    start = end + 1;
    if (bytes.length === 0) continue;
    if (open.isFull({ number: line, bytes })) break;
    open.add({ number: line, bytes }, '');
  }
  const part = open.close(readBytes);
  const lines = whole.lines - part.lines;
  const bytes = whole.bytes.subarray(part.bytes.length);
  return { part, behind: lines === 0 ? undefined : { lines, bytes, readBytes } };
}

class OpenPart {
  readonly #firstLine: number;
  nextLine: number;
  lines = 0;
  readonly #pieces: Buffer[] = [];
  readonly #halvings: number;
  #bytes = 0;

  constructor(nextLine: number, halvings: number) {
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
    return { lines: this.lines, bytes: Buffer.concat(this.#pieces, this.#bytes), readBytes };
  }

  #append(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
  }
}

/** A part as it is sent. */
export interface PackedPart extends Omit<Part, 'bytes'> {
  bytes: Buffer<ArrayBuffer>;
  contentDigest: string;
}

const compress = promisify(zstdCompress);
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };

/** Packs a part, in a thread beside this one; the same lines become the same bytes. */
export async function packPart({ bytes: plain, ...part }: Part): Promise<PackedPart> {
  const bytes = await compress(plain, { params: PARAMS });
  const digest = createHash('sha256').update(bytes).digest('base64');
  return { ...part, bytes, contentDigest: `sha-256=:${digest}:` };
}
