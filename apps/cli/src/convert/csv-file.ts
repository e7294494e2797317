import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { unreadable } from '../book-files/book.ts';
import { AS_UTF8, firstLineNotAscii, firstLineNotUtf8, notUtf8, utf16In } from '../book-files/not-utf8.ts';
import { Failure } from '../frame/failure.ts';
import type { Kind } from './kinds.ts';
import { type ConvertOptions, valueFor } from './options.ts';

export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be';

/** A file that was opened: what it is, and how it is written. */
export interface CsvFile {
  /** From 0, in the order of the command. */
  index: number;
  kind: Kind;
  /** As the command names it. */
  name: string;
  path: string;
  bytes: number;
  encoding: Encoding;
  /** What was guessed, in words. */
  isEncodingGuessed: boolean;
}

const ENCODINGS: Readonly<Record<string, Encoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'windows-1252': 'windows-1252',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
};

/**
 * Looks at a whole file once, to know its encoding: UTF-16 by its byte order mark, or UTF-8 where all of it is valid
 * UTF-8. Any other is never guessed: the flag has to say it (behaviour 25.2.4).
 *
 * @throws Failure where it cannot be read, is not UTF-8 and the flag does not say what it is, or says what it is not
 */
export async function openCsv(
  at: Pick<CsvFile, 'index' | 'kind' | 'name' | 'path'>,
  options: ConvertOptions,
): Promise<CsvFile> {
  const { name, path, kind } = at;
  const given = encodingOf(valueFor(options.encoding, kind.name));
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new Failure('usage', `${name} is a folder, not a CSV file.`);
    if (found.isFile() && found.size === 0)
      throw new Failure('usage', `${name} is empty: it needs a header.`, EXPECTED_FORM);
    const utf16 = await utf16Of(path);
    refuseUtf16(at, given, utf16);
    const encoding = given ?? utf16?.encoding ?? 'utf-8';
    if (encoding === 'utf-8') await refuseNotUtf8(at);
    if (encoding === 'windows-1252') await refuseUtf8(at);
    return { ...at, bytes: found.size, encoding, isEncodingGuessed: given === undefined };
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(name, error as NodeJS.ErrnoException);
  }
}

function encodingOf(given: string | undefined): Encoding | undefined {
  if (given === undefined) return undefined;
  const encoding = ENCODINGS[given.toLowerCase()];
  if (encoding !== undefined) return encoding;
  throw new Failure('usage', `Unknown encoding "${given}". Give utf-8, windows-1252, utf-16le or utf-16be.`);
}

async function utf16Of(path: string) {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2);
  return utf16In(buffer.subarray(0, bytesRead));
}

type At = Pick<CsvFile, 'name' | 'path' | 'kind'>;

const flagOf = ({ kind }: At, encoding: Encoding) => `--encoding ${kind.name}=${encoding}`;

/** Without a byte order mark it is not certain, and a flag that says another encoding is wrong. */
function refuseUtf16(at: At, given: Encoding | undefined, utf16: ReturnType<typeof utf16In>): void {
  if (utf16 === undefined || given === utf16.encoding || (given === undefined && utf16.hasMark)) return;
  const sentence = `${at.name} is UTF-16${utf16.hasMark ? '' : ' without a byte order mark'}. Nothing was read.`;
  throw new Failure('usage', sentence, { lines: [`  Give ${flagOf(at, utf16.encoding)}`] });
}

async function refuseNotUtf8(at: At): Promise<void> {
  const line = await firstLineNotUtf8(at.path);
  if (line !== undefined) throw notUtf8(at.name, line, `If it is Windows-1252, give ${flagOf(at, 'windows-1252')}`);
}

/** Text of Windows-1252 is hardly ever valid UTF-8, unless it is ASCII. */
async function refuseUtf8(at: At): Promise<void> {
  if ((await firstLineNotUtf8(at.path)) !== undefined) return;
  const line = await firstLineNotAscii(at.path);
  if (line === undefined) return;
  const sentence = `${at.name} is valid UTF-8, and line ${line} is not ASCII. Is it Windows-1252? Nothing was read.`;
  throw new Failure('usage', sentence, {
    lines: [`  If it is UTF-8, give ${flagOf(at, 'utf-8')}`, '  If it is Windows-1252 anyway:', `  ${AS_UTF8}`],
  });
}

/** The bytes of a file as UTF-8, without a byte order mark. */
export function utf8Of({ path, encoding }: CsvFile, onBytes: (bytes: number) => void = () => {}): Readable {
  const decoder = new TextDecoder(encoding);
  async function* pieces(): AsyncGenerator<string> {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
      onBytes((chunk as Buffer).length);
      yield decoder.decode(chunk as Buffer, { stream: true });
    }
    yield decoder.decode();
  }
  return Readable.from(pieces(), { objectMode: false });
}

/** Where the form of the CSV files can be seen, for those whose file cannot be read. */
export const EXPECTED_FORM = { lines: ['  To see the expected form: causeway sample --csv sample'] };
