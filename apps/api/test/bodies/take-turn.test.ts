import { expect, test } from 'vitest';
import { takeTurn } from '../../src/bodies/take-turn.ts';

/** Timers go off up to a millisecond early. */
const EARLY_MS = 2;

test.for([50, 400])(
  '11.5.1 the event loop is left to others for as long as the work before has kept it: %d ms',
  async (keptMs) => {
    await takeTurn();
    const startedAt = performance.now();
    while (performance.now() - startedAt < keptMs);
    await takeTurn();
    expect(performance.now() - startedAt).toBeGreaterThan(2 * keptMs - EARLY_MS);
  },
);

test('11.5 turns come in the order in which they were asked for, each in a turn of the loop of its own', async () => {
  const seen: string[] = [];
  const take = (name: string) =>
    takeTurn().then(() => {
      seen.push(name);
      setImmediate(() => seen.push('others'));
    });
  await Promise.all(['first', 'second', 'third'].map(take));
  expect(seen).toEqual(['first', 'others', 'second', 'others', 'third']);
});

test('11.5.2 parties have turns one after the other, however many one of them has asked for before', async () => {
  const seen: string[] = [];
  const take = (name: string, party: string) =>
    takeTurn(party).then(() => {
      seen.push(name);
    });
  const ofOne = ['a 1', 'a 2', 'a 3', 'a 4'].map((name) => take(name, 'a'));
  const ofOthers = [take('b 1', 'b'), take('c 1', 'c'), take('b 2', 'b')];
  await Promise.all([...ofOne, ...ofOthers]);
  expect(seen).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'a 3', 'a 4']);
});
