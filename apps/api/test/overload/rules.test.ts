import { describe, expect, test } from 'vitest';
import { Company } from '../../src/overload/company.ts';
import { type InstanceLoad, limitMet } from '../../src/overload/limits.ts';
import { createLateness, createRequestCost, createStanding, SAMPLE_MS, TICK_MS } from '../../src/overload/load.ts';
import { Parties, Party, Share } from '../../src/overload/party.ts';
import { AtWork } from '../../src/overload/work.ts';

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

/** Large bodies have kept the loop this long in the last second, which was busy throughout. */
function keepersOf(kept: Record<string, number>, { isLoopLate = true, neighbour = 'n' } = {}) {
  const company = new Company();
  const parties = new Parties();
  const all = new Map(['a', 'b', 'c', 'n'].map((name) => [name, parties.named(name)]));
  const of = (name: string) => all.get(name) ?? parties.named(name);
  company.meet(of(neighbour));
  for (const [name, milliseconds] of Object.entries(kept)) {
    company.meet(of(name));
    company.keepLoop(of(name), milliseconds);
  }
  company.age({ elapsedMs: 1_000, activeMs: 1_000, isLoopLate });
  return { company, of, blame: (name: string) => company.blame(of(name)) };
}

describe('the parties that keep the event loop with large bodies', () => {
  test('17.1.7 are to blame for its delay if they had a good part of its time, and their neighbours are not', () => {
    expect(['a', 'n'].map(keepersOf({ a: 900 }).blame)).toEqual([true, false]);
    expect(['a', 'n'].map(keepersOf({ a: 200 }).blame)).toEqual([undefined, undefined]);
    expect(keepersOf({}).blame('n')).toBeUndefined();
  });

  test('17.1.7 are not to blame if the loop is not late, or if they are alone', () => {
    expect(keepersOf({ a: 900 }, { isLoopLate: false }).blame('a')).toBeUndefined();
    expect(keepersOf({ a: 900 }, { neighbour: 'a' }).blame('a')).toBeUndefined();
  });

  test('17.1.7 are those that kept it for at least an equal part', () => {
    expect(['a', 'b', 'c', 'n'].map(keepersOf({ a: 700, b: 600, c: 20 }).blame)).toEqual([true, true, false, false]);
  });

  test('17.1.7 are admitted again five seconds after the loop was late', () => {
    const { company, of, blame } = keepersOf({ a: 900 });
    const blamed = [0, 1, 2, 3, 4, 5].map(() => {
      company.meet(of('n'));
      const isToBlame = blame('a');
      company.age({ elapsedMs: 1_000, activeMs: 5, isLoopLate: false });
      return isToBlame;
    });
    expect(blamed).toEqual([true, true, true, true, true, undefined]);
  });

  test('17.1.7 are compared by the last seconds', () => {
    const { company, of, blame } = keepersOf({ a: 900 });
    for (let second = 1; second < 4; second += 1) company.age({ elapsedMs: 1_000, activeMs: 5, isLoopLate: false });
    company.keepLoop(of('b'), 900);
    expect(['a', 'b'].map(blame)).toEqual([false, true]);
  });
});

/** Large bodies of `large` have kept the loop this long in a second, and calls of `small` have piled up meanwhile. */
function standingAfter(keptMs: number): { standing: InstanceLoad; small: Party; large: Party } {
  const [small, large] = [new Party('small'), new Party('large')];
  const [requests, weights] = [new Share('atWork', 1_000), new Share('weight', Number.POSITIVE_INFINITY)];
  requests.take(small, 40);
  weights.take(small, 40);
  const company = new Company();
  for (const party of [small, large]) company.meet(party);
  company.keepLoop(large, keptMs);
  company.age({ elapsedMs: 1_000, activeMs: 1_000, isLoopLate: true });
  const standing = {
    work: { requests, weights },
    company,
    waiters: { pool: { waitingCount: 0 }, connections: { queue: { waiting: 0, parties: 0, waitingOf: () => 0 } } },
    unread: { share: new Share('unreadBytes', 1_000) },
    recent: { cost: { millisecondsEach: 80 }, isWaitLong: true, isLoopLate: true },
    limits: { expectedWaitMs: 400, poolWaiters: 200 },
  };
  return { standing, small, large };
}

test('17.1.7 calls that pile up while large bodies of another party keep the loop are not refused', () => {
  const { standing, small, large } = standingAfter(900);
  expect([small, large].map((party) => limitMet(standing, party))).toEqual([undefined, 'event_loop_delay']);
});

test('17.1 calls that pile up by themselves are refused', () => {
  const { standing, small } = standingAfter(0);
  expect(limitMet(standing, small)).toBe('expected_wait');
});

const LIMIT_MS = 300;

/** The times at which the event loop's delay is too high, when the loop is kept and free in turn. */
function toldLate(...phases: [keptMs: number, freeMs: number][]): number[] {
  const lateness = createLateness(0);
  const stands = createStanding();
  const told: number[] = [];
  let now = 0;
  const look = () => {
    if (stands(lateness.milliseconds(now) >= LIMIT_MS, now)) told.push(now);
  };
  for (const [keptMs, freeMs] of phases) {
    now += keptMs;
    // The sample comes before the tick that was due: the worse order.
    look();
    for (const end = now + freeMs; now < end; now += TICK_MS) {
      lateness.tick(now);
      if (now % SAMPLE_MS === 0) look();
    }
  }
  return told;
}

const times = <T>(count: number, phase: T) => Array.from({ length: count }, () => phase);

describe('how late the event loop is', () => {
  test.each([
    [350, 10],
    [700, 100],
    [2_000, 150],
    [2_000, 400],
    [5_000, 400],
  ])('17.1.6 is told when it is kept for %i ms again and again, and free for %i ms between', (keptMs, freeMs) => {
    const first = toldLate(...times(10, [keptMs, freeMs] as [number, number]))[0];
    expect(first).toBeLessThanOrEqual(Math.max(keptMs, 1_000) + 2 * keptMs + freeMs);
  });

  test.each([200, 900, 5_000])('17.1.2 is not told for one pause of %i ms', (pauseMs) => {
    expect(toldLate([0, 1_000], [pauseMs, 5_000])).toEqual([]);
  });

  test.each([500, 700, 2_000])('17.1.2 is not told for turns of %i ms that leave others as long', (turnMs) => {
    expect(toldLate(...times(20, [turnMs, turnMs] as [number, number]))).toEqual([]);
  });

  test('17.1.3 is over half a second after the last long turn', () => {
    const last = toldLate(...times(10, [700, 100] as [number, number]), [0, 5_000]).at(-1);
    expect(last).toBeLessThanOrEqual(10 * 800 - 100 + 500);
  });
});

/** What a request costs after so many samples, each like this one. */
function after(...phases: [samples: number, sample: { spentMs: number; finished: number; elapsedMs?: number }][]) {
  const cost = createRequestCost();
  for (const [samples, sample] of phases) {
    for (let count = 0; count < samples; count += 1) cost.add({ elapsedMs: SAMPLE_MS, ...sample });
  }
  return cost.millisecondsEach;
}

const HEAVY = { spentMs: 100, finished: 14 };
const LIGHT = { spentMs: 100, finished: 500 };

describe('what a request costs', () => {
  test('17.1 is what busy samples spent on those that they finished', () => {
    expect(after([1, HEAVY])).toBeCloseTo(100 / 14);
    expect(after([50, HEAVY])).toBeCloseTo(100 / 14);
    expect(after([50, LIGHT])).toBeCloseTo(0.2);
  });

  test('17.1 is next to nothing where the service is half idle: what is at work waits for somebody else', () => {
    expect(after([50, HEAVY], [100, { spentMs: 30, finished: 4 }])).toBeLessThan(0.01);
  });

  test('17.1 is not told by samples in which nothing was finished: a start, a pause, locks that nobody gets', () => {
    expect(after([50, { spentMs: 100, finished: 0 }])).toBe(0);
    expect(after([50, LIGHT], [3, { spentMs: 100, finished: 0 }])).toBeCloseTo(0.2);
  });
});
