import type { Database } from '@causeway/db';
import { createTestDatabase } from '@causeway/testing';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newSupplierKey, revoke } from './api-keys.ts';
import { ATTEMPT_LIMITS, OBTAIN_BY_KEY, OBTAIN_BY_REFRESH_TOKEN, startGraphqlServer } from './graphql-server.ts';

const { database, drop } = await createTestDatabase({ poolSize: 10 });
let one: Awaited<ReturnType<typeof startGraphqlServer>>;
let two: typeof one;
afterAll(drop);
// Instances remember what they refused.
beforeEach(async () => {
  await database.prisma.rateLimit.deleteMany();
  [one, two] = [await startGraphqlServer(database), await startGraphqlServer(database)];
});
afterEach(() => Promise.all([one.close(), two.close()]));

const HERE = '192.0.2.7';
const ELSEWHERE = '192.0.2.8';
const { apiKey } = await newSupplierKey(database);

const attempt = (key: string, address = HERE, server = one) =>
  server.post(OBTAIN_BY_KEY, { variables: { key }, address });
const codeOf = ({ body }: { body: { errors?: { extensions: { errorCode: string } }[] } }) =>
  body.errors?.[0]?.extensions.errorCode;
const refresh = (refreshToken: string, server = one) =>
  server.post(OBTAIN_BY_REFRESH_TOKEN, { variables: { refreshToken }, address: HERE });
const fail = (times: number) => Promise.all(Array.from({ length: times }, (_, index) => attempt(badKey(index))));
/** A bad key whose first characters no other has. */
const badKey = (index: number) => `${String(index).padStart(16, '0')}${'x'.repeat(30)}`;

describe('failed attempts', () => {
  it('5.8 answers 429 after 60 failures from an address, over all instances, and others continue', async () => {
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
    expect((await attempt(apiKey, ELSEWHERE)).body.data.obtainToken.token).toEqual(expect.any(String));
    expect(codeOf(await attempt(badKey(61), ELSEWHERE))).toBe('CW-1101');
  });

  it('5.8 answers exactly 60 of 90 failures at once', async () => {
    const calls = Array.from({ length: 90 }, (_, index) => attempt(badKey(index), HERE, index % 2 === 0 ? one : two));
    const codes = (await Promise.all(calls)).map(codeOf);
    expect(codes.filter((code) => code === 'CW-1101')).toHaveLength(60);
    expect(codes.filter((code) => code === 'CW-1104')).toHaveLength(30);
  });

  it('5.8 stops one bad key after 20 failures, and the others at its address continue', async () => {
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

  it('5.8 lets in a new key that was never used from there, and a refresh token and each that follows it, though others behind its address have failed too often', async () => {
    let { refreshToken } = (await attempt(apiKey)).body.data.obtainToken;
    await fail(61);
    expect((await attempt(badKey(70))).status).toBe(429);
    for (const server of [one, two, one]) {
      const { apiKey: newKey } = await newSupplierKey(database);
      expect((await attempt(newKey, HERE, server)).body.data.obtainToken.token).toEqual(expect.any(String));
      const { status, body } = await refresh(refreshToken, server);
      expect(status).toBe(200);
      refreshToken = body.data.obtainToken.refreshToken;
    }
  });

  it('5.8 bounds what failures cost: beyond ten times the limit only what is known to be good is looked at', async () => {
    const statements: string[] = [];
    const counted: Database = {
      ...database,
      query: (statement, values) => {
        statements.push(statement.name);
        return database.query(statement, values);
      },
    };
    const server = await startGraphqlServer(counted, {
      attemptLimits: { ...ATTEMPT_LIMITS, perAddress: 2, perAddressAndPrefix: 1 },
    });
    const { refreshToken } = (await attempt(apiKey, HERE, server)).body.data.obtainToken;
    for (let index = 0; index < 30; index += 1) await attempt(badKey(index), HERE, server);
    expect(statements).toHaveLength(1 + 20);
    const { apiKey: newKey } = await newSupplierKey(database);
    expect(codeOf(await attempt(newKey, HERE, server))).toBe('CW-1104');
    expect(codeOf(await refresh(`cw_refresh_${'A'.repeat(43)}`, server))).toBe('CW-1104');
    expect(statements).toHaveLength(1 + 20);
    expect((await attempt(apiKey, HERE, server)).status).toBe(200);
    expect((await refresh(refreshToken, server)).status).toBe(200);
    expect((await attempt(newKey, ELSEWHERE, server)).status).toBe(200);
    await server.close();
  });

  it('5.8 looks at a key no more, once it was revoked, than at any other bad one', async () => {
    const server = await startGraphqlServer(database, { attemptLimits: { ...ATTEMPT_LIMITS, perAddress: 1 } });
    const { apiKey: revoked, actor } = await newSupplierKey(database);
    expect((await attempt(revoked, HERE, server)).status).toBe(200);
    await revoke(database, actor.apiKeyId);
    expect(codeOf(await attempt(revoked, HERE, server))).toBe('CW-1101');
    expect(codeOf(await attempt(revoked, HERE, server))).toBe('CW-1104');
    await server.close();
  });

  it('5.8 counts bad refresh tokens too', async () => {
    const codes = (await Promise.all(Array.from({ length: 61 }, (_, index) => refresh(badKey(index))))).map(codeOf);
    expect(codes.filter((code) => code === 'CW-1102')).toHaveLength(60);
    expect((await attempt(badKey(99))).status).toBe(429);
  });

  it('5.8 counts again from zero when the minute is over', async () => {
    await fail(61);
    expect((await attempt(badKey(70), HERE, two)).status).toBe(429);
    await database.pool.query('UPDATE rate_limits SET expire = expire - 60000');
    const server = await startGraphqlServer(database);
    expect(codeOf(await attempt(badKey(70), HERE, server))).toBe('CW-1101');
    await server.close();
  });

  it('5.8 counts the networks of a /48 together, up to five times the limit of one', async () => {
    const attemptLimits = { ...ATTEMPT_LIMITS, perAddress: 2, perAddressAndPrefix: 1 };
    const server = await startGraphqlServer(database, { attemptLimits });
    const codes = [];
    for (let index = 0; index < 12; index += 1) {
      codes.push(codeOf(await attempt(badKey(index), `2001:db8:1:${index}::1`, server)));
    }
    expect(codes.filter((code) => code === 'CW-1101')).toHaveLength(10);
    expect(codes.slice(10)).toEqual(['CW-1104', 'CW-1104']);
    expect(codeOf(await attempt(badKey(20), '2001:db8:2::1', server))).toBe('CW-1101');
    await server.close();
  });
});

describe('calls that succeed', () => {
  it('5.8 are limited for each key, and others behind its address continue', async () => {
    const server = await startGraphqlServer(database, { attemptLimits: { ...ATTEMPT_LIMITS, callsPerKey: 3 } });
    const answers = [];
    for (let index = 0; index < 5; index += 1) answers.push(await attempt(apiKey, HERE, server));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(codeOf(answers[4] as never)).toBe('CW-1105');
    expect(Number(answers[4]?.headers.get('retry-after'))).toBeGreaterThan(0);
    const last = answers[2]?.body.data.obtainToken.refreshToken;
    expect(codeOf(await refresh(String(last), server))).toBe('CW-1105');
    const { apiKey: other } = await newSupplierKey(database);
    expect((await attempt(other, HERE, server)).status).toBe(200);
    await server.close();
  });

  it('5.8 are limited for each address, and from others they continue', async () => {
    const server = await startGraphqlServer(database, { attemptLimits: { ...ATTEMPT_LIMITS, callsPerAddress: 2 } });
    const keys = await Promise.all(Array.from({ length: 3 }, () => newSupplierKey(database)));
    const statuses = [];
    for (const key of keys) statuses.push((await attempt(key.apiKey, HERE, server)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await attempt(apiKey, ELSEWHERE, server)).status).toBe(200);
    await server.close();
  });
});

describe('documents that obtain no token', () => {
  it('5.8 are limited for each address, whatever they ask for, and ObtainToken continues', async () => {
    const server = await startGraphqlServer(database, { attemptLimits: { ...ATTEMPT_LIMITS, queriesPerAddress: 3 } });
    const statuses = [];
    for (const document of [getIntrospectionQuery(), '{ serviceVersion }', '{ nothing }', '{ serviceVersion }']) {
      statuses.push((await server.post(document, { address: HERE })).status);
    }
    expect(statuses).toEqual([200, 200, 400, 429]);
    const refused = await server.post(getIntrospectionQuery(), { address: HERE });
    expect(codeOf(refused)).toBe('CW-1105');
    expect(refused.body).not.toHaveProperty('data');
    expect((await attempt(apiKey, HERE, server)).status).toBe(200);
    expect((await server.post(getIntrospectionQuery(), { address: ELSEWHERE })).status).toBe(200);
    await server.close();
  });

  it.each([
    ['a comment', '{ serviceVersion } # obtainToken'],
    ['the operation', 'query obtainToken { serviceVersion }'],
    ['a field that is skipped', 'mutation { obtainToken(input: {APIKey: "x"}) @skip(if: true) { token } }'],
  ])('5.8 are limited too where they only name it: %s', async (_where, document) => {
    const server = await startGraphqlServer(database, { attemptLimits: { ...ATTEMPT_LIMITS, queriesPerAddress: 2 } });
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await server.post(document, { address: HERE })).status);
    expect(statuses).toEqual([200, 200, 429]);
    await server.close();
  });
});

describe('when the database fails', () => {
  function failingOn(part: 'limiter' | 'keys', error: Error): Database {
    const pool = Object.create(database.pool);
    pool.query = () => Promise.reject(error);
    return part === 'limiter' ? { ...database, pool } : { ...database, query: () => Promise.reject(error) };
  }

  it.each(['limiter', 'keys'] as const)('5.8 lets nobody in and reports the cause (%s)', async (part) => {
    const error = new Error('relation "rate_limits" does not exist');
    const server = await startGraphqlServer(failingOn(part, error));
    for (const key of ['y'.repeat(40), 'x'.repeat(40)]) {
      const { status, text, body } = await attempt(key, HERE, server);
      expect(status).toBe(500);
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { errorCode: 'CW-1000' } }] });
      expect(text).not.toContain('rate_limits');
    }
    expect(server.internalErrors).toEqual([error, error]);
    await server.close();
  });

  it('5.8 answers 503 with Retry-After where the database is out of reach', async () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const server = await startGraphqlServer(failingOn('keys', error));
    const { status, headers, body } = await attempt(apiKey, HERE, server);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(body).toMatchObject({ data: null, errors: [{ extensions: { errorCode: 'CW-1007' } }] });
    await server.close();
  });
});
