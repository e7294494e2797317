import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { stayFair } from '../src/scenarios/stay-fair.ts';

test('reliability 18 refuses a good organisation nothing because of what hostile ones do', async () => {
  expect(await brokenPromises(stayFair, 2)).toEqual([]);
});
