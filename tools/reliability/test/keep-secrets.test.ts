import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { keepSecrets } from '../src/scenarios/keep-secrets.ts';

test('reliability 12 lets no key, token or personal data into logs, metrics, error bodies or tables they have no place in', async () => {
  expect(await brokenPromises(keepSecrets, 1)).toEqual([]);
});
