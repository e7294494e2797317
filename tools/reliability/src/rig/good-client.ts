import { setTimeout as delay } from 'node:timers/promises';
import { type Credential, obtainTokens, TokenRefusal } from '@causeway/rest-client';
import { percentile, type Random } from '@causeway/testing';
import { type Claim, within } from '../scenario.ts';
import { operationOn } from './operations.ts';
import { nameOf, send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** The results of a good organisation over a period. */
export interface GoodTime {
  p50: number;
  p99: number;
  calls: number;
  /** Unexpected answers. */
  refused: string[];
  /** Of the calls, in the order of their beginning, on the clock of `performance`. */
  times: { beganAt: number; endedAt: number }[];
}

/** Stages accounts steadily, like a small migration, and renews its token; does not wait for answers (open loop). */
export interface GoodClient {
  /** For so many milliseconds, or until something is over. */
  measure(duration: number | (() => boolean)): Promise<GoodTime>;
}

/** Between two calls: some 40 a second. */
const PAUSE_MS = { from: 10, to: 40 };
const RENEWED_EVERY_MS = 250;

export function createGoodClient(world: ServiceWorld, supplier: Supplier, random: Random): GoodClient {
  const { token } = supplier;
  let number = 0;
  const byKey: Credential = { apiKey: supplier.apiKey };
  let credential: Credential = byKey;

  async function stage(time: GoodTime): Promise<void> {
    number += 1;
    const request = { ...operationOn(supplier, `GOOD-${number}`, 'stage'), token };
    const beganAt = performance.now();
    const answer = await send(world.url(), request);
    time.times.push({ beganAt, endedAt: performance.now() });
    if (answer?.status !== 201) time.refused.push(`stage ${nameOf(answer)}`);
  }

  /** With its key and its refresh token alternately. */
  async function renew(time: GoodTime): Promise<void> {
    const used = credential;
    credential = byKey;
    try {
      const { refreshToken } = await obtainTokens(world.url(), used);
      if (used === byKey) credential = { refreshToken };
    } catch (error) {
      const why = error instanceof TokenRefusal ? error.code : 'no answer';
      time.refused.push(`ObtainToken by ${Object.keys(used)}: ${why}`);
    }
  }

  return {
    async measure(duration) {
      const time: GoodTime = { p50: 0, p99: 0, calls: 0, refused: [], times: [] };
      const over = typeof duration === 'number' ? performance.now() + duration : 0;
      const isOver = typeof duration === 'number' ? () => performance.now() >= over : duration;
      const renewing = (async () => {
        for (; !isOver(); await delay(RENEWED_EVERY_MS)) await renew(time);
      })();
      const calls: Promise<void>[] = [];
      for (; !isOver(); await delay(random.integer(PAUSE_MS.from, PAUSE_MS.to))) calls.push(stage(time));
      await Promise.all([renewing, ...calls]);
      time.times.sort((one, other) => one.beganAt - other.beganAt);
      const latencies = time.times.map(({ beganAt, endedAt }) => endedAt - beganAt);
      return { ...time, calls: calls.length, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
    },
  };
}

/** How often its median before, and for how long, a good organisation's calls may take. */
const SLOWER = 3;
const SLOW_FOR_MS = 1_000;

/** The longest period in which every call that started took longer than it may, in milliseconds. */
export function longestSlowTime({ times }: GoodTime, before: GoodTime): number {
  let longest = 0;
  let slowSince: number | undefined;
  for (const { beganAt, endedAt } of times) {
    if (endedAt - beganAt <= SLOWER * before.p50) slowSince = undefined;
    else {
      slowSince ??= beganAt;
      longest = Math.max(longest, endedAt - slowSince);
    }
  }
  return longest;
}

export const withinSlowTime = (when: string, slowMs: number): Claim =>
  within(`its calls slower than ${SLOWER} x p50 ${when}`, slowMs, SLOW_FOR_MS);

/** Of the periods `before / during / after`, say: their p50, their p99 and what was refused, for a table. */
export function cellsOf(times: readonly GoodTime[]): string[] {
  const each = (show: (time: GoodTime) => string) => times.map(show).join(' / ');
  return [
    each(({ p50 }) => p50.toFixed(1)),
    each(({ p99 }) => p99.toFixed(0)),
    each(({ refused, calls }) => `${refused.length} of ${calls}`),
  ];
}
