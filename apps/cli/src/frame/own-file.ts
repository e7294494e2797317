import { constants, type WriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from './define-command.ts';
import { Failure } from './failure.ts';

const { O_CREAT, O_RDWR, O_TRUNC, O_WRONLY } = constants;
/** Windows has none, and lets few users make links. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;

const HOW = { anew: O_WRONLY | O_CREAT | O_TRUNC, further: O_RDWR };

/**
 * Opens a file to be written whose name is the command's own choice. Throws a Failure if it is a symbolic link
 * (behaviour 25.1.11).
 */
export async function openOwnFile(file: string, how: keyof typeof HOW): Promise<FileHandle> {
  return open(file, HOW[how] | O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ELOOP') throw error;
    const lines = ['  It leads to another file, which is left as it is. Remove the link, and run the command again.'];
    throw new Failure('usage', `${file} is a symbolic link: causeway writes through none.`, { lines, cause: error });
  });
}

/** As `openOwnFile`, for what is renamed to the user's file `name` when it is whole; whatever fails is a Failure. */
export async function streamToPart(part: string, name: string): Promise<WriteStream> {
  const handle = await openOwnFile(part, 'anew').catch((error: Error) => {
    if (error instanceof Failure) throw error;
    throw new Failure('usage', `${name} cannot be written: ${error.message}.`, { cause: error });
  });
  return handle.createWriteStream();
}

/**
 * Writes the user's file `name` at `file`. It is there when it is complete and not before: until then its beginning is in
 * `<file>.part`. Throws a Failure if it cannot be written.
 */
export async function writeWhole(
  { file, name }: { file: string; name: string },
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string>,
): Promise<void> {
  const part = `${file}.part`;
  const stream = await streamToPart(part, name);
  try {
    await pipeline(pieces, stream);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    if (error instanceof Failure) throw error;
    throw new Failure('usage', `${name} cannot be written: ${(error as Error).message}.`, { cause: error });
  }
}

/** Somebody may have edited what is there. Throws a Failure if one of the names is there, without `--yes`. */
export async function refuseToReplace(
  { directory, flags }: Context,
  names: readonly (string | undefined)[],
  another = '-o',
): Promise<void> {
  if (flags.yes === true) return;
  for (const name of names) {
    if (name === undefined) continue;
    const isThere = await stat(path.resolve(directory, name)).then(
      () => true,
      () => false,
    );
    if (isThere)
      throw new Failure('usage', `${name} is there already. Give another ${another}, or --yes to replace it.`);
  }
}
