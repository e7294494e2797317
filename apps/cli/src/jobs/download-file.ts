import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { writeWhole } from '../frame/own-file.ts';

export interface Downloaded {
  file: string | null;
  bytes: number;
  /** Line feeds, which is how many rows NDJSON has. */
  rows: number;
}

const LINE_FEED = 0x0a;

/** Writes a file to `target`, which is there when it is complete and not before; or to stdout without one, as it comes. */
export async function downloadFile(
  context: Context,
  pieces: AsyncIterable<Uint8Array>,
  target: string | undefined,
): Promise<Downloaded> {
  const { output } = context;
  if (target === undefined) {
    if (output.form !== 'text')
      throw new Failure('usage', `With --${output.form}, the file cannot go to standard output: give -o <file>.`);
    return toStdout(context, pieces);
  }
  const file = path.resolve(context.directory, target);
  const isFolder = await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) throw new Failure('usage', `${target} is a folder: name a file in it.`);
  const counts = { bytes: 0, rows: 0 };
  await writeWhole({ file, name: target }, counted(pieces, counts));
  return { ...counts, file };
}

async function toStdout({ output }: Context, pieces: AsyncIterable<Uint8Array>): Promise<Downloaded> {
  const decoder = new TextDecoder();
  const counts = { bytes: 0, rows: 0 };
  for await (const piece of counted(pieces, counts)) await output.data(decoder.decode(piece, { stream: true }));
  return { file: null, ...counts };
}

async function* counted(pieces: AsyncIterable<Uint8Array>, counts: Pick<Downloaded, 'bytes' | 'rows'>) {
  for await (const piece of pieces) {
    counts.bytes += piece.length;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) counts.rows += 1;
    yield piece;
  }
}
