import { afterAll, afterEach, beforeEach } from 'vitest';
import { awaited, longWaits, noLongerAwaited } from './waits.ts';

// Tests have no time limits, so one that hangs would be silent for ten minutes. Whatever takes a minute is told each
// minute: the test, the conditions that it waits for, and the requests without an answer.
const MINUTE_MS = 60_000;

beforeEach(({ task }) => awaited(task, `the test “${task.name}” in ${task.file.name}`));
afterEach(({ task }) => noLongerAwaited(task));

const timer = setInterval(() => {
  for (const { what, ms } of longWaits(MINUTE_MS)) {
    process.stderr.write(`Waiting for ${what}, for ${Math.floor(ms / MINUTE_MS)} min so far.\n`);
  }
}, MINUTE_MS);
afterAll(() => clearInterval(timer));
