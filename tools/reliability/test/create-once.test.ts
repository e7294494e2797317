import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { createOnce } from '../src/scenarios/create-once.ts';

test('reliability 1 creates one account and adds each thing once of identical calls over three instances', async () => {
  expect(await brokenPromises(createOnce, 2)).toEqual([]);
});
