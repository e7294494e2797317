import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes the directory, and those above it, where they are missing.
 *
 * @returns its path without symbolic links
 * @throws with its name where it cannot be made or written to
 */
export async function makeDataDirectory(wanted: string): Promise<string> {
  try {
    await makeDirectory(path.resolve(wanted));
    const directory = await realpath(wanted);
    const probe = path.join(directory, `writable.${randomBytes(6).toString('hex')}`);
    await writeFile(probe, '', { mode: 0o600, flag: 'wx' });
    await rm(probe);
    return directory;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR ${wanted} cannot be written to (${code ?? message}): set it to another directory.`, {
      cause: error,
    });
  }
}

/** Not by `recursive`, with which Node tries for ever where a directory takes no entries, as /proc does. */
async function makeDirectory(directory: string): Promise<void> {
  if ((await stat(directory).catch(() => undefined))?.isDirectory()) return;
  const parent = path.dirname(directory);
  if (parent !== directory) await makeDirectory(parent);
  // Root's server runs as somebody else, who has to pass through this folder.
  await mkdir(directory, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 }).catch(async (error: unknown) => {
    // Another start may have made it meanwhile.
    if (!(await stat(directory).catch(() => undefined))?.isDirectory()) throw error;
  });
}
