import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { createAnswerDelay } from '../../src/graphql/delay-answers.ts';
import { requestFacts } from '../../src/http/request-facts.ts';
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

it('5.8 gives the place of a delayed refusal to another when its client goes away', async () => {
  const delay = createAnswerDelay({ delayMs: FOREVER_MS, mostDelayed: 1 });
  const newResponse = () => Object.assign(new EventEmitter(), { locals: {} }) as unknown as ServerResponse;
  const [leaving, next] = [newResponse(), newResponse()];
  const left = delay(leaving);
  await delay(newResponse());
  leaving.emit('close');
  await left;
  let answered = false;
  const waiting = delay(next).then(() => {
    answered = true;
  });
  await delay(newResponse());
  expect(answered).toBe(false);
  next.emit('close');
  await waiting;
});

it('5.8 counts no delayed refusal as work', async () => {
  let atWork = 0;
  const countWork = (response: ServerResponse) => {
    const facts = requestFacts(response);
    let working = true;
    atWork += 1;
    const end = () => {
      atWork -= working ? 1 : 0;
      working = false;
    };
    facts.work = { started: undefined, isWaiting: false, end };
    response.on('close', end);
    return undefined;
  };
  const server = await startServer({ countWork });
  await server.attempt('bad');
  await sendOneTooMany(3, (index) => server.attempt(`bad ${index}`));
  // The answer of this one is out, and that of those before it is not.
  while (atWork > 0) await new Promise(setImmediate);
  await server.close();
});

it('5.8 refuses a known good key that is used too often at once', async () => {
  const attemptLimits = { ...ATTEMPT_LIMITS, callsPerKey: 1 };
  const server = await startServer({ attemptLimits });
  const answers = [await server.attempt(apiKey), await server.attempt(apiKey), await server.attempt(apiKey)];
  expect(answers.map(({ status }) => status)).toEqual([200, 429, 429]);
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
