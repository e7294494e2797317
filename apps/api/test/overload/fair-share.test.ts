import { expect, test } from 'vitest';
import { createFairShare } from '../../src/overload/fair-share.ts';

/** Each takes one after the other, in turns, until none of them has room. */
function fill(capacity: number, parties: string[]) {
  const share = createFairShare(capacity);
  for (let taken = -1; taken < share.used; ) {
    taken = share.used;
    for (const party of parties) if (share.hasRoomFor(party)) share.take(party, 1);
  }
  return share;
}

test('17.3 one party alone has four fifths, and the rest stays free for who comes next', () => {
  const share = fill(1_000, ['A']);
  expect(share.usedBy('A')).toBe(800);
  expect(share.hasRoomFor('A')).toBe(false);
  expect(share.hasRoomFor('B')).toBe(true);
});

test('17.3 several have equal parts, and something stays free', () => {
  const share = fill(1_000, ['A', 'B', 'C', 'D']);
  const parts = ['A', 'B', 'C', 'D'].map(share.usedBy);
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(4);
  expect(share.used).toBeLessThan(1_000);
});

test('17.3 who came first gets no more until it is down to its part', () => {
  const share = fill(1_000, ['A']);
  for (let taken = -1; taken < share.used; ) {
    taken = share.used;
    if (share.hasRoomFor('B')) share.take('B', 1);
  }
  expect(share.usedBy('B')).toBe(160);
  share.take('A', -100);
  expect(share.hasRoomFor('A')).toBe(false);
  expect(share.hasRoomFor('B')).toBe(true);
});

test('17.3 the last place of a small share can be taken', () => {
  expect(fill(1, ['A']).used).toBe(1);
  expect(fill(2, ['A']).used).toBe(2);
});

test('17.3 who has given everything back is forgotten', () => {
  const share = createFairShare(10);
  share.take('A', 7);
  expect([share.parties, share.mayTakeMore('A')]).toEqual([1, true]);
  share.take('A', 2);
  expect(share.mayTakeMore('A')).toBe(false);
  share.take('A', -9);
  expect([share.parties, share.used]).toEqual([0, 0]);
});
