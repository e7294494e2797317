import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { checkOffline } from '../src/scenarios/check-offline.ts';

test('reliability 33 answers fuzzed accounts offline as the service does, whatever the settings', async () => {
  expect(await brokenPromises(checkOffline, 200)).toEqual([]);
});
