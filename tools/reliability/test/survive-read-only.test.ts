import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { surviveReadOnly } from '../src/scenarios/survive-read-only.ts';

test('reliability 16 is not ready and answers 503 while the database is read-only, and comes back', async () => {
  expect(await brokenPromises(surviveReadOnly, 1)).toEqual([]);
});
