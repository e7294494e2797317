import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { BUNDLED_PROGRAMS } from '../bundled-programs.ts';
import { COMPILED_MODULES } from '../keep-compiled.ts';
import { readable } from './readable.ts';

// node main.ts [options of turbo]: lint, specification, types and tests of every package. Prints what they print, and not
// what the tools say of themselves.
const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
const CHECKS = ['//#lint', '//#specification', '//#check-types', 'types', 'test'];
/** Turbo runs the packages in its own order. This one takes as long as all others together, and begins first. */
const LONGEST = '@causeway/api';
/** Three packages in all: on two threads of one core, more would each take longer. */
const TOGETHER = ['--only', '--concurrency=2'];

process.stdout.write('Checking every package. It takes ten minutes or so on two cores.\n');
process.exitCode = await turbo('generate', 'bundle-for-tests');
if (process.exitCode === 0) {
  const codes = await Promise.all([
    turbo('test', ...TOGETHER, `--filter=${LONGEST}`, ...process.argv.slice(2)),
    turbo(...CHECKS, ...TOGETHER, `--filter=!${LONGEST}`, ...process.argv.slice(2)),
  ]);
  process.exitCode = Math.max(...codes);
}

/** Its exit code, once it has ended. */
function turbo(...options: string[]): Promise<number> {
  const child = spawn('turbo', ['run', ...options, '--output-logs=new-only', '--ui=stream'], {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, ...colour, ...COMPILED_MODULES, BUNDLED_PROGRAMS, TURBO_TELEMETRY_DISABLED: '1' },
  });
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => {
      const shown = readable(line);
      if (shown !== undefined) process.stdout.write(`${shown}\n`);
    });
  }
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
