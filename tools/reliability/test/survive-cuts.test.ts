import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { surviveCuts } from '../src/scenarios/survive-cuts.ts';

test('reliability 5 counts every write once after a retry, wherever the database connection was cut', async () => {
  expect(await brokenPromises(surviveCuts, 3)).toEqual([]);
});
