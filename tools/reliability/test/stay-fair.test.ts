import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { outlastHangingVendor, outlastUnpacking, stayFair } from '../src/scenarios/stay-fair.ts';

test('reliability 14 refuses nobody else while one organisation waits for a vendor that never answers', async () => {
  expect(await brokenPromises(outlastHangingVendor, 1)).toEqual([]);
});

test('reliability 18 refuses a good organisation nothing because of what hostile ones do', async () => {
  expect(await brokenPromises(stayFair, 2)).toEqual([]);
});

test('reliability 38 refuses nobody else while one organisation sends parts that cost seconds to unpack', async () => {
  expect(await brokenPromises(outlastUnpacking, 1)).toEqual([]);
});
