import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { outlastUploads } from '../src/scenarios/outlast-uploads.ts';

test('reliability 28 does every line of hostile and unlucky uploads once or refuses it, and answers others meanwhile', async () => {
  expect(await brokenPromises(outlastUploads, 1)).toEqual([]);
});
