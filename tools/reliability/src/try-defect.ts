import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Defect } from './defects/defect.ts';
import { runRow } from './run-row.ts';

export interface Tried {
  name: string;
  row: number;
  /** Whether the scenario reported it. */
  red: boolean;
  /** What it reported, or why it could not run. */
  found: string;
}

export const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** Plants the defect in a copy of the repository, never in the repository itself, and runs the row's scenario there. */
export async function tryDefect(defect: Defect): Promise<Tried> {
  const { name, row, edits } = defect;
  // Programs that were bundled before have nothing of it.
  delete process.env.BUNDLED_PROGRAMS;
  const copy = await mkdtemp(path.join(tmpdir(), 'causeway-defect-'));
  try {
    await copyRepository(copy);
    for (const { file, find, replace } of edits) {
      const target = path.join(copy, file);
      const text = await readFile(target, 'utf8');
      if (text.split(find).length !== 2) return { name, row, red: false, found: `does not apply to ${file} any more` };
      await writeFile(
        target,
        text.replace(find, () => replace),
      );
    }
    return { name, row, ...(await findInCopy(copy, defect)) };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

const LEFT_OUT = new Set(['.git', '.turbo', '.causeway', 'coverage']);

/** The sources, with each package's links; installed packages are linked, not copied. */
async function copyRepository(copy: string): Promise<void> {
  const installed = path.join(REPOSITORY, 'node_modules');
  await cp(REPOSITORY, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => source !== installed && !LEFT_OUT.has(path.basename(source)),
  });
  await symlink(installed, path.join(copy, 'node_modules'));
}

const ENDED_AFTER_ITS_START = 'The service ended by itself';

/** The claims that failed in the copy. */
async function findInCopy(copy: string, { row, size, endsTheService }: Defect): Promise<Pick<Tried, 'red' | 'found'>> {
  try {
    const { runs } = await runRow(copy, row, [`--size=${size}`]);
    const broken = runs
      .flatMap(({ claims }) => claims)
      .filter(({ holds, dependsOnSpeed }) => !holds && !dependsOnSpeed);
    const found = broken.map((claim) => `${claim.what}: ${claim.found.slice(0, 160)}`).join('; ');
    return { red: found !== '', found: found || 'nothing' };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return { red: endsTheService === true && found.includes(ENDED_AFTER_ITS_START), found };
  }
}
