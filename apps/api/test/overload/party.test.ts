import { expect, test } from 'vitest';
import { Parties, Party, Share } from '../../src/overload/party.ts';

const four = () => ['A', 'B', 'C', 'D'].map((name) => new Party(name)) as [Party, Party, Party, Party];

/** Each takes one after the other, in turns, until none of them has room. */
function fill(capacity: number, parties: Party[]) {
  const share = new Share('atWork', capacity);
  for (let taken = -1; taken < share.used; ) {
    taken = share.used;
    for (const party of parties) if (share.hasRoomFor(party)) share.take(party, 1);
  }
  return share;
}

test('17.3 one party alone has four fifths, and the rest stays free for who comes next', () => {
  const [one, other] = four();
  const share = fill(1_000, [one]);
  expect(one.atWork).toBe(800);
  expect(share.hasRoomFor(one)).toBe(false);
  expect(share.hasRoomFor(other)).toBe(true);
});

test('17.3 several have equal parts, and something stays free', () => {
  const parties = four();
  const share = fill(1_000, parties);
  const parts = parties.map(({ atWork }) => atWork);
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(4);
  expect(share.used).toBeLessThan(1_000);
});

test('17.3 who came first gets no more until it is down to its part', () => {
  const [one, other] = four();
  const share = fill(1_000, [one]);
  for (let taken = -1; taken < share.used; ) {
    taken = share.used;
    if (share.hasRoomFor(other)) share.take(other, 1);
  }
  expect(other.atWork).toBe(160);
  share.take(one, -100);
  expect(share.hasRoomFor(one)).toBe(false);
  expect(share.hasRoomFor(other)).toBe(true);
});

test('17.3 the last place of a small share can be taken', () => {
  expect(fill(1, [four()[0]]).used).toBe(1);
  expect(fill(2, [four()[0]]).used).toBe(2);
});

test('17.3 who has given everything back is forgotten', () => {
  const share = new Share('atWork', 10);
  const [party] = four();
  share.take(party, 7);
  expect([share.parties, share.mayTakeMore(party)]).toEqual([1, true]);
  share.take(party, 2);
  expect(share.mayTakeMore(party)).toBe(false);
  share.take(party, -9);
  expect([share.parties, share.used]).toEqual([0, 0]);
});

test('17.2 one name is one party, as long as somebody holds it', () => {
  const parties = new Parties();
  const held = parties.named('A');
  held.heldBytes = 7;
  expect(parties.named('A')).toBe(held);
  expect(parties.named('B')).not.toBe(held);
});
