import { PACE } from '@causeway/runner';
import { expect, test } from 'vitest';
import { lanePace } from '../../src/bulk/lane-pace.ts';

function measured() {
  const refused = { requestsAtWork: 0 };
  const pool = { waitingCount: 0 };
  const queue = { waiting: 0, parties: 0, waitingOf: () => 0 };
  const connections = { queue };
  const loop = { active: 0, idle: 0 };
  const admission = { counts: { refused } } as never;
  const pace = lanePace({ pool, admission, connections, eventLoop: () => ({ ...loop }) });
  /** The last of so many looks, each after the thread has worked this much of 50 ms. */
  const after = (looks: number, activeMs: number) => {
    let paced: number = Number.NaN;
    for (let look = 0; look < looks; look += 1) {
      loop.active += activeMs;
      loop.idle += 50 - activeMs;
      paced = pace();
    }
    return paced;
  };
  return { refused, pool, connections, after };
}

test('21.11.2 lanes work gently while the instance spends a tenth of its time on callers', () => {
  const { after } = measured();
  expect(after(1, 0)).toBe(PACE.FULL);
  expect(after(100, 4)).toBe(PACE.FULL);
  expect(after(100, 6)).toBe(PACE.GENTLE);
  expect(after(100, 0)).toBe(PACE.FULL);
});

test('21.11.2 one long request is no reason to wait', () => {
  const { after } = measured();
  after(10, 0);
  expect(after(1, 50 * 0.9)).toBe(PACE.FULL);
});

test('21.11.2 all lanes wait while callers wait for a connection, or are refused for overload', () => {
  const { after, refused, pool, connections } = measured();
  pool.waitingCount = 1;
  expect(after(1, 0)).toBe(PACE.NONE);
  pool.waitingCount = 0;
  connections.queue.waiting = 1;
  expect(after(1, 0)).toBe(PACE.NONE);
  connections.queue.waiting = 0;
  refused.requestsAtWork += 1;
  expect(after(1, 0)).toBe(PACE.NONE);
  expect(after(1, 0)).toBe(PACE.FULL);
});
