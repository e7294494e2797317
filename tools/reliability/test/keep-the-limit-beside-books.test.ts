import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { keepTheLimitBesideBooks } from '../src/scenarios/keep-the-limit-beside-books.ts';

test('reliability 27 never processes more than 40 at once for a bulk job and 200 callers, and leaves callers a quarter', async () => {
  expect(await brokenPromises(keepTheLimitBesideBooks, 1)).toEqual([]);
});
