import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Defect } from './defects.ts';
import { runRow } from './run-row.ts';

export interface Tried {
  name: string;
  row: number;
  /** Whether the scenario reported it. */
  red: boolean;
  /** What it reported, or why it could not be tried. */
  found: string;
}

export const REPOSITORY = path.resolve(import.meta.dirname, '../..');

/** Plants the defect in a copy of the repository, never in the repository itself, and runs the row's scenario there. */
export async function tryDefect({ name, row, size, edits }: Defect): Promise<Tried> {
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
    const found = await findInCopy(copy, row, size);
    return { name, row, red: found !== '', found: found === '' ? 'nothing' : found };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

const LEFT_OUT = new Set(['.git', '.turbo', '.causeway', 'coverage']);

/** The sources, with each package's links; what is installed stays where it is and is linked to. */
async function copyRepository(copy: string): Promise<void> {
  const installed = path.join(REPOSITORY, 'node_modules');
  await cp(REPOSITORY, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => source !== installed && !LEFT_OUT.has(path.basename(source)),
  });
  await symlink(installed, path.join(copy, 'node_modules'));
}

/** The promises that the row's scenarios found broken in the copy; empty where they noticed nothing. */
async function findInCopy(copy: string, row: number, size: number): Promise<string> {
  try {
    const { runs } = await runRow(copy, row, [`--size=${size}`]);
    const broken = runs
      .flatMap(({ claims }) => claims)
      .filter(({ holds, dependsOnSpeed }) => !holds && !dependsOnSpeed);
    return broken.map(({ what, found }) => `${what}: ${found.slice(0, 160)}`).join('; ');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
