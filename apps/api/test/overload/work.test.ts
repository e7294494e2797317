import { describe, expect, test } from 'vitest';
import { Parties } from '../../src/overload/party.ts';
import { AtWork } from '../../src/overload/work.ts';

function startTurns() {
  let time = 0;
  const work = new AtWork(10_000, () => time);
  const parties = new Parties();
  const take = (party: string, isHeavy = false) => {
    const turn = work.begin(parties.named(party), isHeavy ? 100_000 : 0);
    const state = { begun: turn.started === undefined, end: turn.end };
    void turn.started?.then(() => {
      state.begun = true;
    });
    return state;
  };
  const takeMany = (party: string, count: number, isHeavy = false) =>
    Array.from({ length: count }, () => take(party, isHeavy));
  return {
    work,
    take,
    takeMany,
    /** All that was done long enough ago is forgotten. */
    async rest() {
      time += 10_000;
      work.tidy();
      await Promise.resolve();
    },
  };
}

const begun = (taken: { begun: boolean }[]) => taken.filter((one) => one.begun).length;

describe('turns', () => {
  test('17.4 of one party alone begin at once, up to a limit, and then as others end', async () => {
    const { takeMany } = startTurns();
    const taken = takeMany('A', 200);
    expect(begun(taken)).toBe(128);
    taken[0]?.end();
    await Promise.resolve();
    expect(taken[128]?.begun).toBe(true);
    expect(begun(taken)).toBe(129);
  });

  test('17.1.5 are used up while a party that is alone waits for its own, and not in company', async () => {
    const { take, takeMany, work, rest } = startTurns();
    const [first, ...others] = takeMany('A', 8, true);
    expect(work.isUsedUp).toBe(false);
    const waiting = take('A', true);
    expect(work.isUsedUp).toBe(true);
    const neighbour = take('B');
    expect(work.isUsedUp).toBe(false);
    neighbour.end();
    await rest();
    expect(work.isUsedUp).toBe(true);
    for (const turn of [first, ...others]) turn?.end();
    expect(work.isUsedUp).toBe(false);
    waiting.end();
  });

  test('17.4 of one party never wait for those of another', () => {
    const { takeMany } = startTurns();
    takeMany('A', 1_000);
    expect(begun(takeMany('B', 8))).toBe(8);
  });

  test('17.4 are fewer in company, until that has been gone for a while', async () => {
    const { take, takeMany, rest } = startTurns();
    const guest = take('B');
    const taken = takeMany('A', 100);
    expect(begun(taken)).toBe(8);
    guest.end();
    await rest();
    expect(begun(taken)).toBe(100);
  });

  test('17.4 of heavy work are one at a time in company, and light work overtakes it', async () => {
    const { take, takeMany } = startTurns();
    take('B');
    const heavy = takeMany('A', 3, true);
    expect(begun(heavy)).toBe(1);
    expect(take('A').begun).toBe(true);
    heavy[0]?.end();
    await Promise.resolve();
    expect(heavy.map((one) => one.begun)).toEqual([true, true, false]);
  });

  test('17.4 that are ended before they came keep nobody waiting', async () => {
    const { take, takeMany } = startTurns();
    take('B');
    const [first, second, third] = takeMany('A', 3, true);
    second?.end();
    first?.end();
    await Promise.resolve();
    expect(third?.begun).toBe(true);
  });
});
