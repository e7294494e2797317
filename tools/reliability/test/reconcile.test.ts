import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { findPennies, reconcileBesideWriters, reconcileWhileKilled } from '../src/scenarios/reconcile-under-fire.ts';

test('reliability 29 finds every planted penny, and invents none', async () => {
  expect(await brokenPromises(findPennies, 400)).toEqual([]);
});

test('reliability 30 gives one verdict when the service is killed meanwhile', async () => {
  expect(await brokenPromises(reconcileWhileKilled, 1)).toEqual([]);
});

test('reliability 31 finds nothing EQUAL that was never equal together', async () => {
  expect(await brokenPromises(reconcileBesideWriters, 2)).toEqual([]);
});
