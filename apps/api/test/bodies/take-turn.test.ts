import { expect, test } from 'vitest';
import { takeTurn } from '../../src/bodies/take-turn.ts';

const KEPT_MS = 50;
/** Timers go off up to a millisecond early. */
const EARLY_MS = 2;

test('the event loop is left to others for as long as the work before has kept it', async () => {
  await takeTurn();
  const startedAt = performance.now();
  while (performance.now() - startedAt < KEPT_MS);
  await takeTurn();
  expect(performance.now() - startedAt).toBeGreaterThan(2 * KEPT_MS - EARLY_MS);
});

test('turns come in the order in which they were asked for, each in a turn of the loop of its own', async () => {
  const seen: string[] = [];
  const take = (name: string) =>
    takeTurn().then(() => {
      seen.push(name);
      setImmediate(() => seen.push('others'));
    });
  await Promise.all(['first', 'second', 'third'].map(take));
  expect(seen).toEqual(['first', 'others', 'second', 'others', 'third']);
});
