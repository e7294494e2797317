import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { refuseEarly } from '../src/scenarios/refuse-early.ts';

test('reliability 9 refuses what is too much as documented, keeps what it accepted, and accepts again afterwards', async () => {
  expect(await brokenPromises(refuseEarly, 3)).toEqual([]);
});
