import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates the directory, and those above it, if they are missing.
 *
 * @returns its path without symbolic links
 * @throws with its name if it cannot be created or written to
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

/** Without `recursive`, with which Node retries forever if a directory accepts no entries, such as /proc. */
async function makeDirectory(directory: string): Promise<void> {
  if ((await stat(directory).catch(() => undefined))?.isDirectory()) return;
  const parent = path.dirname(directory);
  if (parent !== directory) await makeDirectory(parent);
  // Root's server runs as another user, who must be able to traverse this folder.
  await mkdir(directory, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 }).catch(async (error: unknown) => {
    // Another start may have created it meanwhile.
    if (!(await stat(directory).catch(() => undefined))?.isDirectory()) throw error;
  });
}
