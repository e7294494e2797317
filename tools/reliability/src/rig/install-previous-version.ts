import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../try-defect.ts';

const run = promisify(execFile);

export interface InstalledVersion {
  /** Short. */
  commit: string;
  /** The command that runs its service. */
  program: readonly string[];
  remove(): Promise<void>;
}

const programIn = (repository: string): readonly string[] => [
  ...[process.execPath, '--max-semi-space-size=16', path.join(repository, 'apps/api/src/main.ts')],
];

/** PREVIOUS, or the last commit before the newest migration: the version with which this one has most to disagree. */
async function previousCommit(): Promise<string> {
  const git = (...words: string[]) => run('git', words, { cwd: REPOSITORY }).then(({ stdout }) => stdout.trim());
  const given = process.env.PREVIOUS;
  if (given) return git('rev-parse', '--short', given);
  const added = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'prisma/migrations/*/migration.sql');
  return git('rev-parse', '--short', `${added}~1`);
}

/** The tree of the previous version in a folder of its own, installed. */
export async function installPreviousVersion(): Promise<InstalledVersion> {
  const commit = await previousCommit();
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-previous-'));
  const archive = path.join(folder, 'tree.tar');
  await run('git', ['archive', `--output=${archive}`, commit], { cwd: REPOSITORY });
  await run('tar', ['-xf', archive, '-C', folder]);
  await run('npx', ['-y', 'pnpm@12', 'install', '--frozen-lockfile', '--prefer-offline'], { cwd: folder });
  await run('npx', ['-y', 'pnpm@12', 'generate'], { cwd: folder });
  return { commit, program: programIn(folder), remove: () => rm(folder, { recursive: true, force: true }) };
}
