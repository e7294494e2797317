import { execFileSync } from 'node:child_process';

/** The commit that a run tests; with `+` if the sources differ from it, except for documents. */
export function readCommit(repository: string): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: repository, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', ':!docs');
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '+'}`;
}
