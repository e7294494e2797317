import { isAscii } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { Failure } from '../frame/failure.ts';

const LINE_FEED = 10;

/** Of a piece behind those before it; without one, of the end. */
type IsFine = (piece?: Buffer) => boolean;

/** The number of the first line of a file that is not UTF-8; undefined if all of it is. */
export const firstLineNotUtf8 = (path: string): Promise<number | undefined> => firstLineNot(path, utf8);
/** The same of ASCII. */
export const firstLineNotAscii = (path: string): Promise<number | undefined> => firstLineNot(path, ascii);

async function firstLineNot(path: string, newCheck: () => IsFine): Promise<number | undefined> {
  const isNot = (await firstPieceNot(path, newCheck(), (bytes) => [bytes])) !== undefined;
  // Line by line takes ten times as long: only to say which line it is.
  return isNot ? firstPieceNot(path, newCheck(), linesOf) : undefined;
}

/** The number of lines that have ended before that piece, and one. */
async function firstPieceNot(
  path: string,
  isFine: IsFine,
  cut: (bytes: Buffer) => Iterable<Buffer>,
): Promise<number | undefined> {
  let line = 1;
  for await (const chunk of createReadStream(path)) {
    for (const piece of cut(chunk as Buffer)) {
      if (!isFine(piece)) return line;
      if (piece.at(-1) === LINE_FEED) line += 1;
    }
  }
  return isFine() ? undefined : line;
}

const ascii =
  (): IsFine =>
  (piece = Buffer.of()) =>
    isAscii(piece);

function utf8(): IsFine {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (piece) => {
    try {
      decoder.decode(piece, { stream: piece !== undefined });
      return true;
    } catch (error) {
      if (error instanceof TypeError) return false;
      throw error;
    }
  };
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

/** What a file of UTF-16 is by its first bytes: a byte order mark, or the zeros that ASCII has without one. */
export function utf16In([first, second]: Uint8Array):
  | { encoding: 'utf-16le' | 'utf-16be'; hasMark: boolean }
  | undefined {
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', hasMark: true };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', hasMark: true };
  if (first && second === 0) return { encoding: 'utf-16le', hasMark: false };
  return first === 0 && second ? { encoding: 'utf-16be', hasMark: false } : undefined;
}
