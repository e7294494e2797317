import { expect, test } from 'vitest';
import { brokenPromises } from '../src/run-scenario.ts';
import { moveBooksWhileCrashed, moveBooksWhileKilled } from '../src/scenarios/move-books-under-fire.ts';
import { rehearseThenMove } from '../src/scenarios/rehearse-then-move.ts';

test('reliability 25 moves every line of a book once when the service is killed meanwhile', async () => {
  expect(await brokenPromises(moveBooksWhileKilled, 1)).toEqual([]);
});

test('reliability 25 moves every line of a book once when the database crashes meanwhile', async () => {
  expect(await brokenPromises(moveBooksWhileCrashed, 1)).toEqual([]);
});

test('reliability 26 rehearses every line of a book as it is moved afterwards, and leaves nothing', async () => {
  expect(await brokenPromises(rehearseThenMove, 200)).toEqual([]);
});
