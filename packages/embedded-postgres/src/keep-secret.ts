import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { newDraft } from './drafts.ts';

/**
 * The secret in a file that only its owner can read, generated if the file is missing. The file is written atomically;
 * concurrent starts all get the first one's secret.
 */
export async function keepSecret(file: string): Promise<string> {
  if (!existsSync(file)) await writeFirst(file, randomBytes(32).toString('base64url'));
  return (await readFile(file, 'utf8')).trim();
}

async function writeFirst(file: string, secret: string): Promise<void> {
  const draft = newDraft(file);
  try {
    await writeFile(draft, secret, { mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
