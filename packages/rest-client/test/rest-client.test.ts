import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, type RestClient } from '../src/rest-client.ts';

const UNAVAILABLE = {
  detail: 'The vendor does not answer.',
  code: 'payment_vendor_unavailable',
  errors: [],
  documentation_url: '/docs/errors#payment_vendor_unavailable',
};
const INTERNAL = {
  detail: 'An unexpected error.',
  code: 'internal_error',
  errors: [],
  documentation_url: '/docs/errors#internal_error',
};

let answers: { status: number; body: unknown }[] = [];
let requests: IncomingMessage[] = [];
let client: RestClient;

const server = createServer((request, response) => {
  requests.push(request);
  const { status, body } = answers.shift() ?? { status: 200, body: {} };
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': `id-${requests.length}` });
  response.end(JSON.stringify(body));
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));
beforeEach(() => {
  const { port } = server.address() as AddressInfo;
  client = createRestClient({ url: `http://127.0.0.1:${port}`, token: 'abc', firstPauseMs: 0 });
  [answers, requests] = [[], []];
});

describe('the client of the demo', () => {
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

  it('4.7 repeats an intermittent vendor failure as it is, and reports it in the end', async () => {
    answers = Array.from({ length: 4 }, () => ({ status: 500, body: UNAVAILABLE }));
    const answer = await client.post('payment-instruction/create/', {});
    expect(answer).toMatchObject({ status: 500, body: UNAVAILABLE });
    expect(client.requestCount()).toBe(3);
  });

  it('7.1 does not repeat any other failure', async () => {
    answers = [{ status: 500, body: INTERNAL }];
    expect(await client.post('notes/create/', {})).toMatchObject({ status: 500, body: INTERNAL });
    expect(client.requestCount()).toBe(1);
  });
});
