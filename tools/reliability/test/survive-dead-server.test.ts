import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { shareServer, surviveDeadServer } from '../src/scenarios/survive-dead-server.ts';

test('reliability 13 brings its database server back on the same port after kill -9, and loses and doubles nothing', async () => {
  expect(await brokenPromises(surviveDeadServer, 1)).toEqual([]);
});

test('reliability 13 keeps the shared database server when the other service stops after a crash', async () => {
  expect(await brokenPromises(shareServer, 1)).toEqual([]);
});
