import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { outlastHangingVendor, stayFair } from '../src/scenarios/stay-fair.ts';

test('reliability 14 refuses nobody else while one organisation waits for a vendor that never answers', async () => {
  expect(await brokenPromises(outlastHangingVendor, 1)).toEqual([]);
});

test('reliability 18 refuses a good organisation nothing because of what hostile ones do', async () => {
  expect(await brokenPromises(stayFair, 2)).toEqual([]);
});
