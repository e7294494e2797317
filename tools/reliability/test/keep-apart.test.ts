import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { keepApart } from '../src/scenarios/keep-apart.ts';

test('reliability 11 answers for a foreign id as for an absent one, opens no staff procedure, and forgets revoked keys', async () => {
  expect(await brokenPromises(keepApart, 3)).toEqual([]);
});
