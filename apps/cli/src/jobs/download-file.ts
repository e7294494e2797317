import { once } from 'node:events';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { streamToPart } from '../frame/own-file.ts';

export interface Downloaded {
  file: string | null;
  bytes: number;
  /** Line feeds, which is how many rows NDJSON has. */
  rows: number;
}

const LINE_FEED = 0x0a;

/**
 * Writes a file to `target`, or to stdout without one, as it comes. A target is there when it is complete and not
 * before: until then its beginning is in `<target>.part`. Throws a Failure if it cannot be written.
 */
export async function downloadFile(
  context: Context,
  pieces: AsyncIterable<Uint8Array>,
  target: string | undefined,
): Promise<Downloaded> {
  const { output } = context;
  if (target === undefined) {
    if (output.form !== 'text')
      throw new Failure('usage', `Say -o <file>: with --${output.form} stdout has no room for it.`);
    return toStdout(context, pieces);
  }
  const file = path.resolve(context.directory, target);
  const isFolder = await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) throw new Failure('usage', `${target} is a folder: name a file in it.`);
  return { ...(await toFile(pieces, file, target)), file };
}

async function toStdout({ output }: Context, pieces: AsyncIterable<Uint8Array>): Promise<Downloaded> {
  const decoder = new TextDecoder();
  const counts = { bytes: 0, rows: 0 };
  for await (const piece of pieces) {
    count(counts, piece);
    await output.data(decoder.decode(piece, { stream: true }));
  }
  return { file: null, ...counts };
}

async function toFile(pieces: AsyncIterable<Uint8Array>, file: string, name: string) {
  const part = `${file}.part`;
  const stream = await streamToPart(part, name);
  const counts = { bytes: 0, rows: 0 };
  const written = finished(stream);
  // Whatever fails first is thrown below; the other end of it is no news.
  written.catch(() => {});
  try {
    for await (const piece of pieces) {
      count(counts, piece);
      if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), written]);
    }
    stream.end();
    await written;
    await rename(part, file);
    return counts;
  } catch (error) {
    stream.destroy();
    await rm(part, { force: true }).catch(() => {});
    if (error instanceof Failure) throw error;
    throw new Failure('usage', `${name} cannot be written: ${(error as Error).message}.`, { cause: error });
  }
}

function count(counts: { bytes: number; rows: number }, piece: Uint8Array): void {
  counts.bytes += piece.length;
  for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) counts.rows += 1;
}
