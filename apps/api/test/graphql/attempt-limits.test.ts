import type { Database } from '@causeway/db';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { newSupplierKey } from './api-keys.ts';
import { OBTAIN_BY_KEY, OBTAIN_BY_REFRESH_TOKEN, startGraphqlServer } from './graphql-server.ts';

const { database, drop } = await createTestDatabase({ poolSize: 10 });
const one = await startGraphqlServer(database);
const two = await startGraphqlServer(database);
afterAll(async () => {
  await one.close();
  await two.close();
  await drop();
});
beforeEach(() => database.prisma.rateLimit.deleteMany());

const HERE = '192.0.2.7';
const ELSEWHERE = '192.0.2.8';
const { apiKey } = await newSupplierKey(database);

const attempt = (key: string, address = HERE, server = one) =>
  server.post(OBTAIN_BY_KEY, { variables: { key }, address });
const codeOf = ({ body }: { body: { errors?: { extensions: { errorCode: string } }[] } }) =>
  body.errors?.[0]?.extensions.errorCode;
/** A bad key whose first characters no other has. */
const badKey = (index: number) => `${String(index).padStart(16, '0')}${'x'.repeat(30)}`;

describe('failed attempts', () => {
  it('design 4.2 answers 429 after 60 failures from an address, over all instances, and others go on', async () => {
    for (let index = 0; index < 60; index += 1) {
      const answer = await attempt(badKey(index), HERE, index % 2 === 0 ? one : two);
      expect([answer.status, codeOf(answer)]).toEqual([200, 'CW-1101']);
    }
    for (const server of [one, two]) {
      const { status, headers, body } = await attempt(badKey(60), HERE, server);
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { errorCode: 'CW-1104' } }] });
    }
    // Without looking at the key: a good one that never worked from here is not let in either.
    expect((await attempt(apiKey)).status).toBe(429);
    expect((await attempt(apiKey, ELSEWHERE)).body.data.obtainToken.token).toEqual(expect.any(String));
    expect(codeOf(await attempt(badKey(61), ELSEWHERE))).toBe('CW-1101');
  });

  it('design 4.2 answers exactly 60 of 90 failures at once', async () => {
    const calls = Array.from({ length: 90 }, (_, index) => attempt(badKey(index), HERE, index % 2 === 0 ? one : two));
    const codes = (await Promise.all(calls)).map(codeOf);
    expect(codes.filter((code) => code === 'CW-1101')).toHaveLength(60);
    expect(codes.filter((code) => code === 'CW-1104')).toHaveLength(30);
  });

  it('design 4.2 stops one bad key after 20 failures, and the others at its address go on', async () => {
    const bad = `${badKey(1)}!`;
    for (let index = 0; index < 20; index += 1) {
      expect(codeOf(await attempt(bad))).toBe('CW-1101');
    }
    for (let index = 0; index < 50; index += 1) {
      expect((await attempt(bad)).status).toBe(429);
    }
    expect((await attempt(apiKey)).status).toBe(200);
    expect(codeOf(await attempt(badKey(2)))).toBe('CW-1101');
    expect(codeOf(await attempt(bad, ELSEWHERE))).toBe('CW-1101');
  });

  it('design 4.2 lets a key in that worked from the address before, whatever others there do', async () => {
    expect((await attempt(apiKey)).status).toBe(200);
    await Promise.all(Array.from({ length: 61 }, (_, index) => attempt(badKey(index))));
    expect((await attempt(badKey(70))).status).toBe(429);
    expect((await attempt(apiKey)).body.data.obtainToken.token).toEqual(expect.any(String));
    expect((await attempt(apiKey, HERE, two)).status).toBe(200);
  });

  it('design 4.2 does not count attempts that succeed', async () => {
    for (let index = 0; index < 70; index += 1) {
      expect((await attempt(apiKey)).status).toBe(200);
    }
  });

  it('design 4.2 counts bad refresh tokens too', async () => {
    const refresh = (index: number) =>
      one.post(OBTAIN_BY_REFRESH_TOKEN, { variables: { refreshToken: badKey(index) }, address: HERE });
    const codes = (await Promise.all(Array.from({ length: 61 }, (_, index) => refresh(index)))).map(codeOf);
    expect(codes.filter((code) => code === 'CW-1102')).toHaveLength(60);
    expect((await attempt(badKey(99))).status).toBe(429);
  });

  it('design 4.2 counts again from zero when the minute is over', async () => {
    await Promise.all(Array.from({ length: 61 }, (_, index) => attempt(badKey(index))));
    expect((await attempt(badKey(70))).status).toBe(429);
    await database.pool.query('UPDATE rate_limits SET expire = expire - 60000');
    expect(codeOf(await attempt(badKey(70)))).toBe('CW-1101');
  });

  it('design 4.2 counts an IPv6 client by its network of 64 bits, and an IPv4 one however it is written', async () => {
    const server = await startGraphqlServer(database, { attemptLimits: { perAddress: 1, perAddressAndPrefix: 1 } });
    const code = async (key: string, address: string) => codeOf(await attempt(key, address, server));
    expect(await code(badKey(1), '2001:db8:0:1::1')).toBe('CW-1101');
    expect(await code(badKey(2), '2001:db8::1:ffff:0:0:2')).toBe('CW-1104');
    expect(await code(badKey(3), '2001:db8:0:2::1')).toBe('CW-1101');
    expect(await code(badKey(4), '203.0.113.9')).toBe('CW-1101');
    expect(await code(badKey(5), '::ffff:203.0.113.9')).toBe('CW-1104');
    await server.close();
  });

  it('design 6 takes its limits from the configuration', async () => {
    const server = await startGraphqlServer(database, { attemptLimits: { perAddress: 3, perAddressAndPrefix: 2 } });
    const codes = [];
    for (const key of ['same', 'same', 'same', 'other', 'third']) {
      codes.push(codeOf(await attempt(key, HERE, server)));
    }
    expect(codes).toEqual(['CW-1101', 'CW-1101', 'CW-1104', 'CW-1101', 'CW-1104']);
    await server.close();
  });
});

describe('when the database fails', () => {
  function failingOn(part: 'limiter' | 'keys', error: Error): Database {
    const pool = Object.create(database.pool);
    pool.query = () => Promise.reject(error);
    return part === 'limiter' ? { ...database, pool } : { ...database, query: () => Promise.reject(error) };
  }

  it.each(['limiter', 'keys'] as const)('design 4.2 lets nobody in and reports the cause (%s)', async (part) => {
    const error = new Error('relation "rate_limits" does not exist');
    const server = await startGraphqlServer(failingOn(part, error));
    for (const key of [apiKey, 'x'.repeat(40)]) {
      const { status, text, body } = await attempt(key, HERE, server);
      expect(status).toBe(500);
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { errorCode: 'CW-1000' } }] });
      expect(text).not.toContain('rate_limits');
    }
    expect(server.internalErrors).toEqual([error, error]);
    await server.close();
  });

  it('design 4.2 answers 503 with Retry-After where the database is out of reach', async () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const server = await startGraphqlServer(failingOn('limiter', error));
    const { status, headers, body } = await attempt(apiKey, HERE, server);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { errorCode: 'CW-1007' } }] });
    await server.close();
  });
});
