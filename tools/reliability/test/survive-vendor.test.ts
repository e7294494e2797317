import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { surviveVendor } from '../src/scenarios/survive-vendor.ts';

test('reliability 6 answers every fault of a payment vendor as documented, and holds nothing in the database meanwhile', async () => {
  expect(await brokenPromises(surviveVendor, 1)).toEqual([]);
});
