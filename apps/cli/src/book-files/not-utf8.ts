import { createReadStream } from 'node:fs';
import { Failure } from '../frame/failure.ts';

const LINE_FEED = 10;

/** The number of the first line of a file that is not UTF-8; undefined if all of it is. */
export async function firstLineNotUtf8(path: string): Promise<number | undefined> {
  const isNot = (await piecesNotUtf8(path, (bytes) => [bytes])) !== undefined;
  // Line by line takes ten times as long: only to say which line it is.
  return isNot ? piecesNotUtf8(path, linesOf) : undefined;
}

/** Which piece is not UTF-8, with those before it: the number of lines that have ended before, and one. */
async function piecesNotUtf8(path: string, cut: (bytes: Buffer) => Iterable<Buffer>): Promise<number | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  try {
    for await (const chunk of createReadStream(path)) {
      for (const piece of cut(chunk as Buffer)) {
        decoder.decode(piece, { stream: true });
        if (piece.at(-1) === LINE_FEED) line += 1;
      }
    }
    decoder.decode();
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return line;
  }
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start) + 1 || bytes.length;
    yield bytes.subarray(start, end);
    start = end;
  }
}

/** Read as if it were UTF-8, two values that differ would become one: nothing of the file is used. */
export function notUtf8(name: string, line: number, wayOut: string): Failure {
  const sentence = `${name} is not UTF-8: line ${line} has bytes of another encoding. Nothing was read.`;
  return new Failure('usage', sentence, { lines: [`  ${wayOut}`] });
}

/** For files that have no flag for their encoding. */
export const AS_UTF8 = 'Write it again as UTF-8, such as: iconv -f WINDOWS-1252 -t UTF-8 FILE > FILE.utf8';
