import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

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
export function digestOfSources(): string {
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
