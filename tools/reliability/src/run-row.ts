import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Run } from './run-scenario.ts';

/** The runs of a row's scenarios, in their order, and the lines they printed. */
export interface RowRuns {
  runs: Run[];
  lines: string[];
}

/**
 * Runs a row of this repository, or of a copy of it, in its own process: `options` are those of main.ts. Throws with
 * the last line it printed and its first error if it does not end.
 */
export function runRow(repository: string, row: number, options: readonly string[]): Promise<RowRuns> {
  const main = path.join(repository, 'tools/reliability/src/main.ts');
  const child = spawn(process.execPath, [main, `--only=${row}`, '--json', ...options], {
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
