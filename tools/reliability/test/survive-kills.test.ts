import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { surviveCrashedDatabase, surviveKilledService } from '../src/scenarios/survive-kills.ts';

test('reliability 4 loses and doubles no acknowledged write when the service is killed under load', async () => {
  expect(await brokenPromises(surviveKilledService, 1)).toEqual([]);
});

test('reliability 4 loses and doubles no acknowledged write when the database crashes under load', async () => {
  expect(await brokenPromises(surviveCrashedDatabase, 1)).toEqual([]);
});
