import { execFileSync } from 'node:child_process';

/** The commit that a run proves something of; with `+` where the sources differ from it, what is written about them aside. */
export function readCommit(repository: string): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: repository, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', ':!docs');
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '+'}`;
}
