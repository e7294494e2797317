import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { unreadable } from '../book-files/unreadable.ts';
import { Failure } from '../frame/failure.ts';
import type { Kind } from './kinds.ts';
import { type ConvertOptions, valueFor } from './options.ts';

export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le';

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
};

/**
 * Looks at a whole file once, to know its encoding: a byte order mark, or UTF-8 where all of it is valid UTF-8, or
 * else Windows-1252, unless the flag says so.
 *
 * @throws Failure where it cannot be read or is not what the flag says
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
    if (found.isFile() && found.size === 0) throw new Failure('usage', `${name} is empty: it needs a header.`);
    const detected = await detect(path);
    if (given === 'utf-8' && detected.encoding !== 'utf-8') {
      throw new Failure(
        'usage',
        `${name} is not UTF-8${detected.firstFault}. Try --encoding ${kind.name}=windows-1252.`,
      );
    }
    return { ...at, bytes: found.size, encoding: given ?? detected.encoding, isEncodingGuessed: given === undefined };
  } catch (error) {
    throw error instanceof Failure ? error : unreadable(name, error as NodeJS.ErrnoException);
  }
}

function encodingOf(given: string | undefined): Encoding | undefined {
  if (given === undefined) return undefined;
  const encoding = ENCODINGS[given.toLowerCase()];
  if (encoding !== undefined) return encoding;
  throw new Failure('usage', `"${given}" is no encoding that is known. Give utf-8 or windows-1252.`);
}

async function detect(path: string): Promise<{ encoding: Encoding; firstFault: string }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let lines = 1;
  let isFirst = true;
  try {
    for await (const chunk of createReadStream(path)) {
      const bytes: Buffer = chunk;
      if (isFirst && bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', firstFault: '' };
      isFirst = false;
      const text = decoder.decode(bytes, { stream: true });
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines += 1;
    }
    decoder.decode();
    return { encoding: 'utf-8', firstFault: '' };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { encoding: 'windows-1252', firstFault: ` from about line ${lines}` };
  }
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
