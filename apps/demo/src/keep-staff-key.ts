import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeDataDirectory } from '@causeway/embedded-postgres';

/**
 * The demo's own staff key: generated at its first run and kept in the data directory, readable by its owner only, so
 * that later runs may enter again (the service itself keeps nothing but a digest).
 */
export async function keepStaffKey(dataDirectory: string): Promise<{ key: string; file: string }> {
  await makeDataDirectory(dataDirectory);
  const file = path.join(dataDirectory, 'demo-staff-api-key');
  const kept = await readIfThere(file);
  if (kept !== undefined) return { key: kept, file };

  const key = randomBytes(32).toString('base64url');
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, key, { mode: 0o600, flush: true });
  await rename(draft, file);
  return { key, file };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
