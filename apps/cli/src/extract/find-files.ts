import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { counted } from '../terminal/numbers.ts';

/** What commands write beside the files that they read. */
const WRITTEN_HERE = /^\.|\.sql$|\.preview\.ndjson$/;

/**
 * The files that words name: each folder as all its files, in the order of their names, and what is left out is said.
 *
 * @throws Failure where a folder has none
 */
export async function filesNamed({ directory, output }: Context, words: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const word of words) {
    const folder = path.resolve(directory, word);
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) {
      files.push(word);
      continue;
    }
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && !WRITTEN_HERE.test(entry.name)).map(({ name }) => name);
    if (names.length === 0) throw new Failure('usage', `${word} is a folder without a file to read.`);
    const others = entries.map(({ name }) => name).filter((name) => !names.includes(name));
    const leftOut = others.length === 0 ? '' : `; left out: ${others.sort().join(', ')}`;
    output.say(`${word} is a folder: ${counted(names.length, 'file')}${leftOut}.`);
    files.push(...names.sort().map((name) => path.join(word, name)));
  }
  return files;
}

const TOLD_BY_NAME =
  /^_*(?:read[ _-]?me|l(?:ee|é|e)[ _-]?me|li[eé]s[ _-]?mich|lisez[ _-]?moi|leggimi|leia[ _-]?me|lees[ _-]?mij)\b/i;
const HEAD_BYTES = 65_536;

/** Whether a file is a letter to its reader: its name says so, and most of its lines separate nothing. */
export async function isLetter(file: string): Promise<boolean> {
  if (!TOLD_BY_NAME.test(path.basename(file).normalize('NFC'))) return false;
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  // In whatever encoding, separators are ASCII.
  const text = buffer.toString('latin1', 0, bytesRead).replaceAll('\0', '');
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  return (
    !/^PK|\.(?:gz|zst)$/.test(text.slice(0, 2) + path.extname(file)) &&
    lines.filter((line) => !/[;|\t]/.test(line)).length * 2 > lines.length
  );
}
