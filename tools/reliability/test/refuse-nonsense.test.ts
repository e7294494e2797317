import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { refuseNonsense } from '../src/scenarios/refuse-nonsense.ts';

test('reliability 7 answers fuzzed requests as documented, never with a failure, and accepts nothing invalid', async () => {
  expect(await brokenPromises(refuseNonsense, 400)).toEqual([]);
});
