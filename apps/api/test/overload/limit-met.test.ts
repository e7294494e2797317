import { expect, test } from 'vitest';
import { createFairShare } from '../../src/overload/fair-share.ts';
import { limitMet, type Standing } from '../../src/overload/limit-met.ts';
import { createLoopKeepers } from '../../src/overload/loop-keepers.ts';

/** Large bodies of `large` have kept the loop this long in a second, and calls of `small` have piled up meanwhile. */
function standingAfter(keptMs: number): Standing {
  const [requests, weights] = [createFairShare(1_000), createFairShare(Number.POSITIVE_INFINITY)];
  requests.take('small', 40);
  weights.take('small', 40);
  const keepers = createLoopKeepers();
  for (const party of ['small', 'large']) keepers.meet(party);
  keepers.add('large', keptMs);
  keepers.age({ elapsedMs: 1_000, activeMs: 1_000, isLoopLate: true });
  return {
    work: { requests, weights, keepers },
    waiters: { pool: { waitingCount: 0 }, connections: { waiting: 0, waitingParties: 0, waitingOf: () => 0 } },
    unread: { mayTakeMore: () => true },
    recent: { cost: { millisecondsEach: 80 }, isWaitLong: true, isLoopLate: true },
    limits: { expectedWaitMs: 400, poolWaiters: 200 },
  } as unknown as Standing;
}

test('17.1.7 calls that pile up while large bodies of another party keep the loop are not refused', () => {
  const standing = standingAfter(900);
  expect(['small', 'large'].map((party) => limitMet(standing, party))).toEqual([undefined, 'event_loop_delay']);
});

test('17.1 calls that pile up by themselves are refused', () => {
  expect(limitMet(standingAfter(0), 'small')).toBe('expected_wait');
});
