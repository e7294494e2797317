import { describe, expect, test } from 'vitest';
import { Company } from '../../src/overload/company.ts';
import { Parties } from '../../src/overload/party.ts';

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
