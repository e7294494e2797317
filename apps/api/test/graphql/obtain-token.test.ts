import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../src/http/caller.ts';
import { newSupplierKey, revoke } from './api-keys.ts';
import { OBTAIN_BY_KEY, OBTAIN_BY_REFRESH_TOKEN, startGraphqlServer } from './graphql-server.ts';

const { database, drop } = await createTestDatabase();
const START = Date.parse('2026-03-02T08:00:00Z');
let now = START;
const clock = () => new Date(now);
const server = await startGraphqlServer(database, { clock });
afterAll(async () => {
  await server.close();
  await drop();
});

beforeEach(async () => {
  now = START;
  await database.prisma.rateLimit.deleteMany();
});

const byKey = (key: unknown) => server.post(OBTAIN_BY_KEY, { variables: { key } });
const byRefreshToken = (refreshToken: unknown) => server.post(OBTAIN_BY_REFRESH_TOKEN, { variables: { refreshToken } });
const refused = (errorCode: string, errorType = 'AUTHORIZATION') => ({
  data: null,
  errors: [{ path: ['obtainToken'], extensions: { errorType, errorCode, errorDescription: expect.any(String) } }],
});

describe('ObtainToken', () => {
  it('5 gives a token for an API key, which says who the caller is', async () => {
    const { apiKey, actor } = await newSupplierKey(database);
    const { status, headers, body } = await byKey(apiKey);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    const { token, payload, refreshToken, refreshExpiresIn } = body.data.obtainToken;
    expect(await server.tokens.verify(token)).toEqual(payload);
    expect(payload).toMatchObject({
      sub: actor.apiKeyId,
      iss: 'causeway',
      iat: START / 1000,
      exp: START / 1000 + 3600,
    });
    expect(Math.abs(secondsFromNow(refreshExpiresIn) - WEEK_S)).toBeLessThan(60);
    expect(refreshToken).toMatch(/^cw_refresh_[\w-]{43}$/);
    const { authenticate } = createAuthenticator({ database, clock, tokens: server.tokens });
    expect(await authenticate(`Token ${token}`)).toEqual(actor);
  });

  it('5.2 takes the input as a literal, as one variable, without a trailing slash, and under an alias', async () => {
    const { apiKey } = await newSupplierKey(database);
    const literal = `mutation { obtainToken(input: {APIKey: "${apiKey}"}) { token } }`;
    const variable = 'mutation ($input: ObtainTokenInput!) { mine: obtainToken(input: $input) { token } }';
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const answers = [
      await server.post(literal),
      await server.post(variable, { variables: { input: { APIKey: apiKey, refreshToken: null } } }),
      await server.request({ method: 'POST', headers, body: JSON.stringify({ query: literal }) }, '/v1/graphql'),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect((body.data.obtainToken ?? body.data.mine).token).toEqual(expect.any(String));
    }
  });

  it('5.2 answers a bad API key with 200 and the code CW-1101', async () => {
    const { apiKey, actor } = await newSupplierKey(database);
    const mistyped = apiKey.slice(0, -1) + (apiKey.endsWith('x') ? 'y' : 'x');
    for (const key of ['wrong', '', mistyped, 'x'.repeat(40), `${apiKey} `, 'nul \u0000'.repeat(8)]) {
      const { status, body } = await byKey(key);
      expect(status).toBe(key.includes('\u0000') ? 400 : 200);
      expect(body).toMatchObject(key.includes('\u0000') ? { errors: [{}] } : refused('CW-1101'));
    }
    await revoke(database, actor.apiKeyId);
    expect((await byKey(apiKey)).body).toMatchObject(refused('CW-1101'));
  });

  it('5.2 answers in application/graphql-response+json where that is accepted', async () => {
    const body = JSON.stringify({ query: OBTAIN_BY_KEY, variables: { key: 'wrong' } });
    const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
    const answer = await server.request({ method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect(answer.body).toMatchObject(refused('CW-1101'));
  });

  it('5.2 wants exactly one of APIKey and refreshToken', async () => {
    const { apiKey } = await newSupplierKey(database);
    for (const input of ['{}', '{APIKey: null}', `{APIKey: "${apiKey}", refreshToken: "x"}`]) {
      const { status, body } = await server.post(`mutation { obtainToken(input: ${input}) { token } }`);
      expect(status).toBe(200);
      expect(body).toMatchObject(refused('CW-1103', 'VALIDATION'));
    }
  });
});

/** Lets time pass for all refresh tokens, as the database sees it. */
async function ageRefreshTokens(interval: string): Promise<void> {
  await database.pool.query(
    `UPDATE refresh_tokens SET expires_at = expires_at - $1::interval, used_at = used_at - $1::interval,
      family_expires_at = family_expires_at - $1::interval`,
    [interval],
  );
}
const WEEK_S = 7 * 24 * 3600;
const secondsFromNow = (unixTime: number) => unixTime - Date.now() / 1000;

describe('refreshing a token', () => {
  it('5.6 gives a new token and a new refresh token for a refresh token', async () => {
    const { apiKey, actor } = await newSupplierKey(database);
    const first = (await byKey(apiKey)).body.data.obtainToken;
    now += 2 * 3600 * 1000;
    await ageRefreshTokens('2 hours');
    const second = (await byRefreshToken(first.refreshToken)).body.data.obtainToken;
    expect(await server.tokens.verify(second.token)).toMatchObject({ sub: actor.apiKeyId, iat: now / 1000 });
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(Math.abs(secondsFromNow(second.refreshExpiresIn) - WEEK_S)).toBeLessThan(60);
    const third = await byRefreshToken(second.refreshToken);
    expect(third.body.data.obtainToken.payload.sub).toBe(actor.apiKeyId);
  });

  it('5.6 answers CW-1102 for a refresh token that is unknown, expired or of a revoked key', async () => {
    const { apiKey, actor } = await newSupplierKey(database);
    const { refreshToken, token } = (await byKey(apiKey)).body.data.obtainToken;
    const answers = [await byRefreshToken('unknown'), await byRefreshToken(apiKey), await byRefreshToken(token)];
    await ageRefreshTokens('7 days');
    answers.push(await byRefreshToken(refreshToken));
    const fresh = (await byKey(apiKey)).body.data.obtainToken.refreshToken;
    await revoke(database, actor.apiKeyId);
    answers.push(await byRefreshToken(fresh));
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toMatchObject(refused('CW-1102'));
    }
    expect((await byKey(refreshToken)).body).toMatchObject(refused('CW-1101'));
  });
});

describe('secrets', () => {
  it('5.7 never repeats a key, wherever in the request it was put', async () => {
    const { apiKey } = await newSupplierKey(database);
    const spaced = 'correct horse "battery" staple, and no key of ours';
    for (const key of [apiKey, spaced]) {
      const text = JSON.stringify(key);
      const documents = [
        `mutation { obtainToken(input: {APIKey: [${text}]}) { token } }`,
        `mutation { obtainToken(input: {apiKey: ${text}}) { token } }`,
        `mutation { obtainToken(input: ${text}) { token } }`,
        `mutation { obtainToken(input: """${key.replaceAll('"', '')}""") { token } }`,
        `mutation { obtainToken(input: {APIKey: ${apiKey}}) { token } }`,
        `mutation { obtainToken(input: {${apiKey}: ${text}}) { token } }`,
        `mutation { obtainToken(input: {APIKey: "a" ${text}}) { token } }`,
        `mutation { ${apiKey} }`,
        `mutation { obtainToken(input: {APIKey: ${text}) { token } }`,
        `mutation { obtainToken(APIKey: ${text}) { token } }`,
        `mutation ($key: String = ${text}) { obtainToken(input: {APIKey: $key, x: $key}) { token } }`,
        `mutation ($key: Int = ${text}) { obtainToken(input: {APIKey: "x"}) { token } }`,
      ];
      const answers = await Promise.all(documents.map((document) => server.post(document)));
      for (const variables of [{ key: [key] }, { key: { key } }, { key: { [key]: 1 } }, [key], key]) {
        answers.push(await server.post(OBTAIN_BY_KEY, { variables }));
      }
      answers.push(await byKey(`${key}x`), await server.post(key), await server.post([key]));
      for (const { status, text: answer, body } of answers) {
        expect(body.errors[0].extensions.errorCode).toMatch(/^CW-1\d\d\d$/);
        expect([200, 400]).toContain(status);
        expect(answer).not.toContain(key);
        expect(answer).not.toContain(JSON.stringify(key).slice(1, -1));
        expect(answer).not.toContain('staple');
        expect(answer).not.toContain(apiKey.slice(12, 40));
      }
    }
  });
});
