import { readFileSync } from 'node:fs';

interface BuildInfo {
  version: string;
  /** The commit that it was built from; `sources` if it was not built. */
  commit: string;
  /** Whether this is the production folder (`pnpm build`), which has no database server in it. */
  isBuilt: boolean;
}

/**
 * What runs, from the package.json at the root: the repository's, or the production folder's, which names the commit.
 */
export const buildInfo: BuildInfo = read();

function read(): BuildInfo {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version, commit } = JSON.parse(text) as { version: string; commit?: string };
  return { version, commit: commit ?? 'sources', isBuilt: commit !== undefined };
}
