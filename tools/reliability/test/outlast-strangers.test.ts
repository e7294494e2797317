import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { outlastReceivers, outlastTemplates } from '../src/scenarios/outlast-strangers.ts';

test('reliability 39 refuses a good organisation nothing while templates that never end are previewed', async () => {
  expect(await brokenPromises(outlastTemplates, 1)).toEqual([]);
});

test('reliability 40 refuses a good organisation nothing while receivers of another send without an end', async () => {
  expect(await brokenPromises(outlastReceivers, 1)).toEqual([]);
});
