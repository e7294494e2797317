import { expect, test } from 'vitest';
import { createSupplierRests, pauseAfter } from '../src/supplier-rests.ts';

const at = (seconds: number) => new Date(1_800_000_000_000 + 1_000 * seconds);

test('29.3.4 the pauses grow from a second to half a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 60].map(pauseAfter)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('29.3.4 a supplier that is not listened to rests, is tried by one lane at a time, and continues once it is heard', () => {
  const rests = createSupplierRests();
  const mayTry = (seconds: number) => [rests.mayTry('A', at(seconds)), rests.mayTry('B', at(seconds))];
  rests.begin('A');
  expect(mayTry(0)).toEqual([true, true]);
  rests.end('A', false, at(0));
  expect([mayTry(0.9), mayTry(1)]).toEqual([
    [false, true],
    [true, true],
  ]);
  rests.begin('A');
  expect(mayTry(100)).toEqual([false, true]);
  rests.end('A', false, at(100));
  expect([rests.mayTry('A', at(101)), rests.mayTry('A', at(102))]).toEqual([false, true]);
  // Nothing was taken, or the database failed.
  rests.begin('A');
  rests.end('A', undefined, at(102));
  expect(rests.mayTry('A', at(102))).toBe(true);
  rests.begin('A');
  rests.end('A', false, at(102));
  expect([rests.mayTry('A', at(105)), rests.mayTry('A', at(106))]).toEqual([false, true]);
  rests.begin('A');
  rests.end('A', true, at(106));
  rests.begin('A');
  expect(rests.mayTry('A', at(106))).toBe(true);
});
