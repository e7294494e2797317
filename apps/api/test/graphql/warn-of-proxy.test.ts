import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { createProxyWarning } from '../../src/graphql/warn-of-proxy.ts';

const HOUR_MS = 60 * 60 * 1_000;
const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } } as unknown as Request;
const direct = { headers: {} } as Request;

function warnings(trustedProxies: number) {
  const state = { now: Date.parse('2026-03-02T08:00:00Z'), count: 0 };
  const look = createProxyWarning(
    trustedProxies,
    () => new Date(state.now),
    () => {
      state.count += 1;
    },
  );
  return { state, look };
}

describe('the warning of a proxy that the service was not told of', () => {
  it('5.8 comes once an hour at most', () => {
    const { state, look } = warnings(0);
    for (const wait of [0, 1, HOUR_MS - 2, 1, 1, HOUR_MS]) {
      state.now += wait;
      look(forwarded);
    }
    expect(state.count).toBe(3);
  });

  it('5.8 does not come without the header, nor where proxies are trusted', () => {
    const untold = warnings(0);
    untold.look(direct);
    const told = warnings(1);
    told.look(forwarded);
    expect([untold.state.count, told.state.count]).toEqual([0, 0]);
  });
});
