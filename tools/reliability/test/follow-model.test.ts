import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { followModel } from '../src/scenarios/follow-model.ts';

test('reliability 2 answers random sequences of two organisations as the model does, and stores what it has', async () => {
  expect(await brokenPromises(followModel, 80)).toEqual([]);
});
