import { execFileSync } from 'node:child_process';

/** The commit of the sources, with `+` if they have been changed; without git, what the variable COMMIT says. */
export function readCommit(repository: string): string {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const isChanged = git('status', '--porcelain') !== '';
    return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? '+' : ''}`;
  } catch {
    return process.env.COMMIT || 'unknown';
  }
}
