import { createTestDatabase } from '@causeway/testing';
import type { Request } from 'express';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createProxyWarning } from '../../src/graphql/warn-of-proxy.ts';
import { newSupplierKey } from './api-keys.ts';
import { ATTEMPT_LIMITS, OBTAIN_BY_KEY, startGraphqlServer } from './graphql-server.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);
beforeEach(() => database.prisma.rateLimit.deleteMany());

/** Longer than any test takes: what is delayed is never answered. */
const FOREVER_MS = 24 * 60 * 60 * 1_000;
const { apiKey } = await newSupplierKey(database);

type Overrides = Parameters<typeof startGraphqlServer>[1] & { mostDelayed?: number };

async function startServer({ mostDelayed = 3, ...overrides }: Overrides = {}) {
  const attemptLimits = { ...ATTEMPT_LIMITS, perAddress: 1 };
  const server = await startGraphqlServer(database, {
    ...{ attemptLimits, delay: { delayMs: FOREVER_MS, mostDelayed } },
    ...overrides,
  });
  const attempt = (key: string) => server.post(OBTAIN_BY_KEY, { variables: { key } });
  return { ...server, attempt };
}

/** Sends as many at once as are delayed and one more, which is answered: the others wait by then. */
async function sendOneTooMany<T extends { status: number }>(mostDelayed: number, send: (index: number) => Promise<T>) {
  const answered: T[] = [];
  const calls = Array.from({ length: mostDelayed + 1 }, async (_, index) => answered.push(await send(index)));
  for (const call of calls) call.catch(() => undefined);
  await Promise.any(calls);
  return answered;
}

it('5.8 keeps a caller that is over its limit waiting for its refusal, and answers a good key meanwhile', async () => {
  const server = await startServer();
  expect((await server.attempt('bad')).status).toBe(200);
  const answered = await sendOneTooMany(3, (index) => server.attempt(`bad ${index}`));
  for (let count = 0; count < 5; count += 1) {
    expect((await server.attempt(apiKey)).body.data.obtainToken.token).toEqual(expect.any(String));
  }
  expect(answered.map(({ status }) => status)).toEqual([429]);
  await server.close();
});

it('5.8 limits and delays documents without a credential too, whatever is wrong with them', async () => {
  for (const document of [
    'mutation { obtainToken(input: {}) { token } }',
    'mutation { obtainToken(input: {APIKey: "x"}) { tokn } }',
    'mutation { obtainToken(',
    OBTAIN_BY_KEY,
    '{ serviceVersion }',
    7,
  ]) {
    const attemptLimits = { ...ATTEMPT_LIMITS, queriesPerAddress: 2 };
    const server = await startServer({ attemptLimits });
    for (let count = 0; count < 2; count += 1) expect((await server.post(document)).status).not.toBe(429);
    const answered = await sendOneTooMany(3, () => server.post(document));
    expect(answered.map(({ status, body }) => [status, body.errors[0].extensions.errorCode])).toEqual([
      [429, 'CW-1105'],
    ]);
    expect((await server.attempt(apiKey)).status).toBe(200);
    await server.close();
  }
});

it('5.8 answers the refusal when its delay is over', async () => {
  const server = await startServer({ delay: { delayMs: 1, mostDelayed: 1_000 } });
  await server.attempt('bad');
  const { status, headers, body } = await server.attempt('bad 2');
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(body).toMatchObject({ data: null, errors: [{ extensions: { errorCode: 'CW-1104' } }] });
  await server.close();
});

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
