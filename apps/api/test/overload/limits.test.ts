import { expect, test } from 'vitest';
import { Company } from '../../src/overload/company.ts';
import { limitMet, type Standing } from '../../src/overload/limits.ts';
import { Party, Share } from '../../src/overload/party.ts';

/** Large bodies of `large` have kept the loop this long in a second, and calls of `small` have piled up meanwhile. */
function standingAfter(keptMs: number): { standing: Standing; small: Party; large: Party } {
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
