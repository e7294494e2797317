import { expect, test } from 'vitest';
import { takeTurn } from '../../src/bodies/take-turn.ts';

const KEPT_MS = 50;
/** Timers go off up to a millisecond early. */
const EARLY_MS = 2;

test('11.5 the event loop is left to others for as long as the work before has kept it', async () => {
  await takeTurn();
  const startedAt = performance.now();
  while (performance.now() - startedAt < KEPT_MS);
  await takeTurn();
  expect(performance.now() - startedAt).toBeGreaterThan(2 * KEPT_MS - EARLY_MS);
});

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
