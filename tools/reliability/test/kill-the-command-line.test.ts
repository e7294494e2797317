import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { killTheCommandLine } from '../src/scenarios/kill-the-command-line.ts';
import { killTheUpload } from '../src/scenarios/kill-the-upload.ts';

test('reliability 32 moves every line once when causeway move and the service are killed meanwhile', async () => {
  expect(await brokenPromises(killTheCommandLine, 2)).toEqual([]);
});

test('reliability 32 moves every line once when causeway upload and the service are killed meanwhile', async () => {
  expect(await brokenPromises(killTheUpload, 2)).toEqual([]);
});
