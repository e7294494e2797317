import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { outlastSlowSockets } from '../src/scenarios/outlast-slow-sockets.ts';

test('reliability 10 closes every slow socket and answers a good client meanwhile', async () => {
  expect(await brokenPromises(outlastSlowSockets, 50)).toEqual([]);
});
