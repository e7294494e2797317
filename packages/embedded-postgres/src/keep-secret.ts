import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { newDraft } from './drafts.ts';

const NONE_YET = async (): Promise<string | undefined> => undefined;

/**
 * The secret in a file that only its owner can read. If the file is missing, `first` may supply the secret; otherwise
 * it is generated. The file is written atomically; concurrent starts all get the first one's secret.
 */
export async function keepSecret(file: string, first = NONE_YET): Promise<string> {
  if (!existsSync(file)) await writeFirst(file, (await first()) ?? randomBytes(32).toString('base64url'));
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
