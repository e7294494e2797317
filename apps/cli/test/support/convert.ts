import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { causeway, type Ended, type Running, temporaryFolder } from './causeway.ts';

/** What a conversion left behind. */
export interface Converted extends Ended {
  folder: string;
  /** The lines of book.ndjson. */
  // biome-ignore lint/suspicious/noExplicitAny: what they hold is what the test asks.
  book(): Promise<any[]>;
}

/** Files by the flag that names them: `accounts`, or `transactions 2` for another one of the same kind. */
export type Files = Record<string, string | Uint8Array>;

/** Writes the files to a folder of their own and converts them to book.ndjson there. */
export async function convert(files: Files, words: readonly string[] = [], running: Running = {}): Promise<Converted> {
  const folder = await temporaryFolder();
  const flags: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const file = `${name.replace(' ', '-')}.csv`;
    await writeFile(path.join(folder, file), content);
    flags.push(`--${name.split(' ')[0]}`, file);
  }
  const ended = await causeway(['convert', ...flags, '-o', 'book.ndjson', ...words], { directory: folder, ...running });
  return { ...ended, folder, book: () => linesOf(path.join(folder, 'book.ndjson')) };
}

/** The lines of a book. */
// biome-ignore lint/suspicious/noExplicitAny: what they hold is what the test asks.
export async function linesOf(file: string): Promise<any[]> {
  const text = await readFile(file, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
