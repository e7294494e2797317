import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { keepTheLimit } from '../src/scenarios/keep-the-limit.ts';

test('reliability 3 processes exactly 40 at once, refuses nobody while a slot is free, and frees the slots of the dead', async () => {
  expect(await brokenPromises(keepTheLimit, 1)).toEqual([]);
});
