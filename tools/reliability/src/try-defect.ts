import { execFileSync, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Defect, editsOf } from './defects/defect.ts';
import type { Run } from './scenario.ts';

interface Tried {
  /** Whether the scenario reported it. */
  red: boolean;
  /** What it reported, or why it could not run. */
  found: string;
}

export const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

/** Plants the defect in a copy of the repository, never in the repository itself, and runs the row's scenario there. */
export async function tryDefect(defect: Defect): Promise<Tried> {
  // Programs that were bundled before have nothing of it.
  delete process.env.BUNDLED_PROGRAMS;
  const copy = await mkdtemp(path.join(tmpdir(), 'causeway-defect-'));
  try {
    await copyRepository(copy);
    for (const { file, find, replace } of editsOf(defect)) {
      const target = path.join(copy, file);
      const text = await readFile(target, 'utf8');
      if (text.split(find).length !== 2) return { red: false, found: `does not apply to ${file} any more` };
      await writeFile(
        target,
        text.replace(find, () => replace),
      );
    }
    return await findInCopy(copy, defect);
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
async function findInCopy(copy: string, { row, size, endsTheService }: Defect): Promise<Tried> {
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

/**
 * Runs a row of this repository, or of a copy of it, in its own process: `options` are those of main.ts. The runs of its
 * scenarios, in their order, and the lines they printed. Throws with the last line and the first error if it does not end.
 */
export function runRow(
  repository: string,
  row: number,
  options: readonly string[],
): Promise<{ runs: Run[]; lines: string[] }> {
  const main = path.join(repository, 'tools/reliability/src/main.ts');
  const child = spawn(process.execPath, [main, String(row), '--json', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.once('close', () => {
      const lines = output.split('\n').filter((line) => line !== '');
      const json = lines.find((line) => line.startsWith('['));
      if (json === undefined) {
        const complaints = errors.trim().split('\n');
        // For an uncaught error, Node prints its location first.
        const complaint = (complaints.find((line) => line.includes('Error: ')) ?? complaints[0])?.slice(0, 200);
        reject(new Error(`the run ended early: ${lines.at(-1) ?? ''} ${complaint}`));
      } else resolve({ runs: JSON.parse(json) as Run[], lines: lines.filter((line) => line !== json) });
    });
  });
}

/** The commit that a run tests; with `+` if the sources differ from it, except for documents. */
export function readCommit(repository: string): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: repository, encoding: 'utf8' }).trim();
  const changes = git('status', '--porcelain', '--', '.', ':!docs');
  return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '+'}`;
}
