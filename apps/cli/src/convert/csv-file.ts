import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { firstLineNotUtf8, notUtf8 } from '../book-files/not-utf8.ts';
import { unreadable } from '../book-files/unreadable.ts';
import { Failure } from '../frame/failure.ts';
import { EXPECTED_FORM } from './expected-form.ts';
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
 * @throws Failure where it cannot be read, or is not UTF-8 and the flag does not say what it is
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
    const marked = given ?? (await encodingByMark(path));
    const fault = marked === undefined || marked === 'utf-8' ? await firstLineNotUtf8(path) : undefined;
    if (fault !== undefined) {
      throw notUtf8(name, fault, `If it is Windows-1252, give --encoding ${kind.name}=windows-1252`);
    }
    return { ...at, bytes: found.size, encoding: marked ?? 'utf-8', isEncodingGuessed: given === undefined };
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(name, error as NodeJS.ErrnoException);
  }
}

function encodingOf(given: string | undefined): Encoding | undefined {
  if (given === undefined) return undefined;
  const encoding = ENCODINGS[given.toLowerCase()];
  if (encoding !== undefined) return encoding;
  throw new Failure(
    'usage',
    `"${given}" is no encoding that is known. Give utf-8, windows-1252, utf-16le or utf-16be.`,
  );
}

async function encodingByMark(path: string): Promise<Encoding | undefined> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return 'utf-16le';
  return buffer[0] === 0xfe && buffer[1] === 0xff ? 'utf-16be' : undefined;
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
