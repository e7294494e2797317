import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** All that the bundle may be made of; the lockfile stands for the packages of others. */
const SOURCES = [
  'apps/console/src',
  'apps/console/index.html',
  'apps/console/build/supplier-settings.ts',
  'apps/console/vite.config.ts',
  'apps/console/package.json',
  'packages/client/src',
  'packages/contracts/src',
  'packages/rest-client/src',
  'packages/rules/src',
  'pnpm-lock.yaml',
];

/** SHA-256 over the names and contents of the sources, in hexadecimal digits. */
function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesOf)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(REPOSITORY, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** A file, or all files of a folder, in an order that is the same everywhere. */
function filesOf(source: string): string[] {
  if (path.extname(source) !== '') return [source];
  return readdirSync(path.join(REPOSITORY, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(REPOSITORY, path.join(entry.parentPath, entry.name)))
    .sort();
}

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
