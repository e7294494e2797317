import { limitText } from '@causeway/contracts/limits';
import { PartRefusal } from './part-refusal.ts';

/** A line of a book as it was sent, without its line end. */
export interface FramedLine {
  /** From 1. */
  number: number;
  /** None if the line is blank: it counts, and says nothing. */
  bytes: Buffer;
}

/** A line with its place among the bytes that were framed. */
export interface PlacedLine extends FramedLine {
  /** Of its first byte, from 0. */
  offset: number;
}

export interface FramingLimits {
  /** Of a longer line only the beginning is kept, which is still too long: `readBookLine` refuses it. */
  maxLineBytes: number;
  /** More lines, blank ones included, are refused with a `PartRefusal`. */
  maxLines?: number;
}

/** How much longer than its `data` a failed row may be. */
export const MAX_FAILED_ROW_BYTES = 262_144;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const NOTHING = Buffer.alloc(0);

/**
 * Cuts bytes into lines, in whatever pieces they come (behaviour 21.2). A line ends with LF or CR LF, and the last one
 * with the last byte. A byte order mark before a line is left out: files may have been joined. Nothing else of a line
 * is changed or looked at. A returned line may share its memory with the piece.
 */
class LineFramer {
  readonly #maxKeptBytes: number;
  readonly #maxLines: number;
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #lines = 0;
  /** Bytes of the lines and pieces so far. */
  #ended = 0;
  #pushed = 0;

  constructor({ maxLineBytes, maxLines = Number.POSITIVE_INFINITY }: FramingLimits) {
    this.#maxKeptBytes = maxLineBytes + MAX_FAILED_ROW_BYTES + 1;
    this.#maxLines = maxLines;
  }

  /** The lines that end within this piece. */
  push(piece: Uint8Array): PlacedLine[] {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const lines: PlacedLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      lines.push(this.#endLine(bytes.subarray(start, end)));
      start = end + 1;
      this.#ended = this.#pushed + start;
    }
    this.#keep(bytes.subarray(start));
    this.#pushed += bytes.length;
    return lines;
  }

  /** The last line, if it has no line end. */
  end(): PlacedLine[] {
    return this.#begunBytes === 0 ? [] : [this.#endLine(NOTHING)];
  }

  #keep(bytes: Buffer): void {
    const kept = bytes.subarray(0, this.#maxKeptBytes - this.#begunBytes);
    if (kept.length === 0) return;
    this.#begun.push(kept);
    this.#begunBytes += kept.length;
  }

  #endLine(rest: Buffer): PlacedLine {
    this.#lines += 1;
    if (this.#lines > this.#maxLines) {
      throw new PartRefusal(`There are more than ${limitText(this.#maxLines)} lines: cut the book into smaller parts.`);
    }
    this.#keep(rest);
    const [first = NOTHING] = this.#begun;
    const bytes = this.#begun.length > 1 ? Buffer.concat(this.#begun) : first;
    this.#begun = [];
    this.#begunBytes = 0;
    return { number: this.#lines, offset: this.#ended, bytes: this.#plain(bytes) };
  }

  #plain(bytes: Buffer): Buffer {
    // What was cut off may say something.
    if (bytes.length === this.#maxKeptBytes) return bytes;
    const isMarked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const start = isMarked ? BYTE_ORDER_MARK.length : 0;
    const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
    const line = bytes.subarray(start, end);
    return isBlank(line) ? NOTHING : line;
  }
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === SPACE || byte === TAB || byte === CARRIAGE_RETURN);
}

/** The lines of a book, blank ones included, as its pieces arrive. */
export async function* frameLines(
  pieces: AsyncIterable<Uint8Array>,
  limits: FramingLimits,
): AsyncGenerator<PlacedLine> {
  const framer = new LineFramer(limits);
  for await (const piece of pieces) yield* framer.push(piece);
  yield* framer.end();
}
