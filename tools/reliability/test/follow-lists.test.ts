import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { followLists } from '../src/scenarios/follow-lists.ts';

test('reliability 19 who follows the lists misses nothing of what 16 transactions at once commit in any order', async () => {
  expect(await brokenPromises(followLists, 2_000)).toEqual([]);
});
