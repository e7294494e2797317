import type { FramedLine } from './line-framer.ts';

/** A few lines of a part, which are stored together and moved together. */
export interface Body {
  /** The lines as they were sent, with the blank ones between them, so that each keeps its number. */
  text: Buffer;
  /** Its lines in their order, without blank ones; at least one. */
  lines: FramedLine[];
  /** How many line numbers it takes, blank lines included: where the next body begins. */
  span: number;
}

export const MAX_BODY_LINES = 100;
export const MAX_BODY_BYTES = 1_048_576;

const LINE_FEED = Buffer.from('\n');

/**
 * Puts lines together into bodies of at most 100 lines and 1 MiB; a longer line has a body of its own. Blank lines
 * belong to the body before them, those at the beginning to the first one. No lines that say anything, no body.
 */
export async function* cutBodies(lines: AsyncIterable<FramedLine>): AsyncGenerator<Body> {
  let first = 1;
  let body = emptyBody();
  for await (const line of lines) {
    if (line.bytes.length > 0) {
      if (isFull(body, line)) {
        yield joined(body, first);
        first += body.span;
        body = emptyBody();
      }
      body.lines.push(line);
      body.bytes += line.bytes.length + 1;
    }
    body.span = line.number + 1 - first;
  }
  if (body.lines.length > 0) yield joined(body, first);
}

/**
 * The lines of a stored body, without blank ones; `firstLine` is the number of the body's first line, blank or not.
 * They are those that were put into it: what begins or ends a line, such as a second byte order mark, is part of it
 * now.
 */
export function linesOfBody(text: Uint8Array, firstLine: number): FramedLine[] {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const lines: FramedLine[] = [];
  let start = 0;
  for (let number = firstLine; start < bytes.length; number += 1) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    if (end > start) lines.push({ number, bytes: bytes.subarray(start, end) });
    start = end + 1;
  }
  return lines;
}

interface OpenBody {
  lines: FramedLine[];
  bytes: number;
  span: number;
}

function emptyBody(): OpenBody {
  return { lines: [], bytes: 0, span: 0 };
}

function isFull({ lines, bytes }: OpenBody, next: FramedLine): boolean {
  return lines.length === MAX_BODY_LINES || (lines.length > 0 && bytes + next.bytes.length > MAX_BODY_BYTES);
}

function joined({ lines, span }: OpenBody, first: number): Body {
  const parts: Buffer[] = [];
  let number = first;
  for (const line of lines) {
    for (; number < line.number; number += 1) parts.push(LINE_FEED);
    parts.push(line.bytes, LINE_FEED);
    number += 1;
  }
  return { text: Buffer.concat(parts), lines, span };
}
