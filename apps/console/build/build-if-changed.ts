import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { digestOfSources } from './digest-of-sources.ts';

const FOLDER = path.resolve(import.meta.dirname, '..');
const BUNDLE = path.join(import.meta.dirname, 'bundle/main.ts');
const TARGET = path.join(FOLDER, 'dist');
/** Beside the files that are served: which sources they were made of. */
const DIGEST_FILE = '.sources';

/**
 * Makes `apps/console/dist`, unless it was made of the same sources. It is there whole or not at all; of two that make
 * it at the same time, one wins.
 *
 * @returns the folder
 */
export async function buildIfChanged(): Promise<string> {
  const digest = digestOfSources();
  if ((await readFile(path.join(TARGET, DIGEST_FILE), 'utf8').catch(() => '')) === digest) return TARGET;
  const made = await mkdtemp(path.join(FOLDER, 'node_modules', '.dist-'));
  try {
    await promisify(execFile)(process.execPath, [BUNDLE, made]);
    await writeFile(path.join(made, DIGEST_FILE), digest);
    // mkdtemp makes a folder for its owner alone; the service may be somebody else.
    await chmod(made, 0o755);
    await rm(TARGET, { recursive: true, force: true });
    await rename(made, TARGET).catch((error: unknown) => {
      if (readFileSync(path.join(TARGET, DIGEST_FILE), 'utf8') !== digest) throw error;
    });
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return TARGET;
}
