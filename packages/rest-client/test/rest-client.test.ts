import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRestClient, type RestClient, repeatAfter, TokenRefusal } from '../src/index.ts';

vi.mock('node:timers/promises', () => ({ setTimeout: async () => {} }));

const UNAVAILABLE = {
  detail: 'The vendor does not answer.',
  code: 'payment_vendor_unavailable',
  errors: [],
  documentation_url: '/docs/errors#payment_vendor_unavailable',
};
const EXPIRED = {
  detail: 'The token has expired: obtain a new one.',
  code: 'token_expired',
  errors: [],
  documentation_url: '/docs/errors#token_expired',
};
const IN_PROGRESS = {
  detail: 'The first request is still running.',
  code: 'idempotency_key_in_progress',
  errors: [],
  documentation_url: '/docs/errors#idempotency_key_in_progress',
};
const INTERNAL = {
  detail: 'An unexpected error.',
  code: 'internal_error',
  errors: [],
  documentation_url: '/docs/errors#internal_error',
};

/** In place of a status: the connection is cut. */
const CUT = 0;

let answers: { status: number; body: unknown }[] = [];
let tokens: string[] = [];
let obtained = 0;
let requests: IncomingMessage[] = [];
let client: RestClient;

/** What ObtainToken answers: the tokens in turn, then a refusal. */
function obtainToken(): object {
  obtained += 1;
  const token = tokens.shift();
  const refusal = { message: 'The API key is not valid.', extensions: { errorCode: 'CW-1101' } };
  const grant = { token, payload: { iat: 1_000, exp: 4_600 }, refreshToken: 'next' };
  return token === undefined ? { data: null, errors: [refusal] } : { data: { obtainToken: grant } };
}

const server = createServer((request, response) => {
  if (request.url === '/v1/graphql/') {
    response.end(JSON.stringify(obtainToken()));
    return;
  }
  requests.push(request);
  const { status, body } = answers.shift() ?? { status: 200, body: {} };
  if (status === CUT) {
    request.socket.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `id-${requests.length}` });
  response.end(JSON.stringify(body));
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));
beforeEach(() => {
  const { port } = server.address() as AddressInfo;
  client = createRestClient({ url: `http://127.0.0.1:${port}`, apiKey: 'key', patienceMs: 60_000 });
  [answers, requests, tokens, obtained] = [[], [], ['abc', 'def'], 0];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const authorizations = () => requests.map(({ headers }) => headers.authorization);
const idempotencyKeys = () => requests.map(({ headers }) => headers['idempotency-key']);

describe('the REST client', () => {
  it('5.3 sends the token after the word Token', async () => {
    await client.get('account-transfer-status/A/1/');
    expect(requests[0]?.headers.authorization).toBe('Token abc');
    expect(requests[0]?.url).toBe('/v1/data-import/account-transfer-status/A/1/');
  });

  it('4.3 repeats a 429 and a 503 until it gets another answer', async () => {
    answers = [429, 503, 201].map((status) => ({ status, body: {} }));
    expect(await client.post('account-import-process/process/', {})).toMatchObject({ status: 201, requestId: 'id-3' });
    expect(client.requestCount()).toBe(3);
  });

  it('4.7 repeats an intermittent vendor failure as it is, and reports it when its patience ends', async () => {
    const waits: number[] = [];
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    client = createRestClient({ url, apiKey: 'key', patienceMs: 500, onWait: (_, pauseMs) => waits.push(pauseMs) });
    answers = Array.from({ length: 9 }, () => ({ status: 500, body: UNAVAILABLE }));
    const answer = await client.post('payment-instruction/create/', {});
    expect(answer).toMatchObject({ status: 500, body: UNAVAILABLE });
    expect(client.requestCount()).toBe(waits.length + 1);
    expect(waits.reduce((sum, pauseMs) => sum + pauseMs, 0)).toBeLessThanOrEqual(500);
    expect(new Set(idempotencyKeys()).size).toBe(1);
  });

  it('19.7 repeats a 500 after longer waits for something else', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    answers = [503, 503, 503, 503, 500, 503, 500, 201].map((status) => ({ status, body: {} }));
    expect(await client.post('payment-instruction/create/', {})).toMatchObject({ status: 201 });
    answers = Array.from({ length: 9 }, () => ({ status: 500, body: UNAVAILABLE }));
    expect(await client.post('payment-instruction/create/', {})).toMatchObject({ status: 500 });
    expect(client.requestCount()).toBe(8 + 3);
  });

  it('7.1 does not repeat a refusal of the data, and repeats a connection that was cut', async () => {
    answers = [{ status: 400, body: { ...INTERNAL, code: 'request_failed_validation' } }];
    expect(await client.post('notes/create/', {})).toMatchObject({ status: 400 });
    expect(client.requestCount()).toBe(1);
    answers = [{ status: CUT, body: {} }];
    expect(await client.post('notes/create/', {})).toMatchObject({ status: 200 });
    expect(client.requestCount()).toBe(3);
  });

  it('19.7 draws the pause from a range that doubles up to half a minute, and respects Retry-After', () => {
    const answer = { request: '', requestId: '', status: 503, body: {} };
    const pauses = (attempts: number, retryAfterMs = 0) =>
      Array.from({ length: 200 }, () => repeatAfter({ answer, retryAfterMs }, attempts) ?? 0);
    for (const [attempts, longestMs] of [
      [1, 400],
      [4, 3_200],
      [60, 30_000],
    ] as const) {
      expect(Math.min(...pauses(attempts))).toBeGreaterThanOrEqual(200);
      expect(Math.max(...pauses(attempts))).toBeLessThanOrEqual(longestMs);
    }
    expect(Math.min(...pauses(1, 7_000))).toBe(7_000);
    expect(repeatAfter({ failure: new TokenRefusal('CW-1105', 'Too many calls') }, 1)).toBeGreaterThan(0);
    expect(repeatAfter({ failure: new TokenRefusal('CW-1101', 'Revoked') }, 1)).toBeUndefined();
  });

  it('19.6 obtains one token for calls at the same time', async () => {
    await Promise.all([client.get('a'), client.get('b'), client.get('c')]);
    expect(authorizations()).toEqual(['Token abc', 'Token abc', 'Token abc']);
    expect(obtained).toBe(1);
  });

  it('19.6 obtains another token a minute before the last one expires', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const passedMs of [0, 58 * 60_000, 61_000]) {
      vi.setSystemTime(Date.now() + passedMs);
      await client.get('a');
    }
    expect(authorizations()).toEqual(['Token abc', 'Token abc', 'Token def']);
  });

  it('19.6 sends a call again, once, with another token where its own has expired', async () => {
    answers = [200, 401, 200].map((status) => ({ status, body: status === 401 ? EXPIRED : {} }));
    await client.get('a');
    expect(await client.get('b')).toMatchObject({ status: 200 });
    expect(authorizations()).toEqual(['Token abc', 'Token abc', 'Token def']);

    tokens = ['ghi'];
    answers = Array.from({ length: 3 }, () => ({ status: 401, body: EXPIRED }));
    expect(await client.get('c')).toMatchObject({ status: 401 });
    expect(authorizations().slice(3)).toEqual(['Token def', 'Token ghi']);
  });

  it('19.6 tells with its code that the API key is refused, and asks again at the next call', async () => {
    tokens = [];
    const refusal = await client.get('a').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TokenRefusal);
    expect(refusal).toMatchObject({ code: 'CW-1101' });
    tokens = ['abc'];
    expect(await client.get('a')).toMatchObject({ status: 200 });
  });

  it('19.7 repeats a POST under the key that it began with, and gives each POST its own', async () => {
    answers = [401, 503, 409, 201].map((status) => {
      return { status, body: status === 401 ? EXPIRED : status === 409 ? IN_PROGRESS : {} };
    });
    expect(await client.post('notes/create/', {})).toMatchObject({ status: 201 });
    const [key = '', ...repeated] = idempotencyKeys();
    expect(key).toMatch(/^[\da-f-]{36}$/);
    expect(repeated).toEqual([key, key, key]);
    await client.post('notes/create/', {});
    expect(idempotencyKeys()[4]).not.toBe(key);
    await client.get('account-transfer-status/A/1/');
    expect(idempotencyKeys()[5]).toBeUndefined();
  });

  it('19.7 repeats a PUT with the same bytes', async () => {
    answers = [503, 201].map((status) => ({ status, body: {} }));
    const headers = { 'content-type': 'application/x-ndjson' };
    expect(await client.put('bulk-jobs/1/parts/1/', Buffer.from('{}\n'), headers)).toMatchObject({ status: 201 });
    expect(requests.map(({ method, headers: sent }) => [method, sent['content-type'], sent['content-length']])).toEqual(
      [
        ['PUT', 'application/x-ndjson', '3'],
        ['PUT', 'application/x-ndjson', '3'],
      ],
    );
    expect(idempotencyKeys()).toEqual([undefined, undefined]);
  });
});
