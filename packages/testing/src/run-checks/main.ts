import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { BUNDLED_PROGRAMS } from '../bundled-programs.ts';
import { COMPILED_MODULES } from '../keep-compiled.ts';
import { readable } from './readable.ts';

// node main.ts [options of turbo]: lint, specification, types and tests of every package, eight at a time: tests
// wait half of their time. Prints what they print, and not what the tools say of themselves.
const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
const checks = ['//#lint', '//#specification', '//#check-types', 'types', 'test'];
const turbo = spawn(
  'turbo',
  ['run', ...checks, '--concurrency=8', '--output-logs=new-only', '--ui=stream', ...process.argv.slice(2)],
  {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...process.env, ...colour, ...COMPILED_MODULES, BUNDLED_PROGRAMS, TURBO_TELEMETRY_DISABLED: '1' },
  },
);
process.stdout.write('Checking every package. It takes ten minutes or so on two cores.\n');
for (const output of [turbo.stdout, turbo.stderr]) {
  createInterface({ input: output }).on('line', (line) => {
    const shown = readable(line);
    if (shown !== undefined) process.stdout.write(`${shown}\n`);
  });
}
turbo.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
