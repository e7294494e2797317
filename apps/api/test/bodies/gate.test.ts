import { once } from 'node:events';
import { request as httpRequest, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { initTRPC } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express, { type ErrorRequestHandler } from 'express';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { errorBodyOf } from '../../src/answers/error-bodies.ts';
import { checkQueryJson, createGate, parsedBody, receiveTrpcInput } from '../../src/bodies/gate.ts';
import { Party } from '../../src/overload/party.ts';
import { bodyLimits } from '../support/body-limits.ts';

const MAX_BODY_BYTES = 1_000;
const JSON_TYPE = { 'content-type': 'application/json' };

const t = initTRPC.create();
const router = t.router({
  echo: t.procedure.input(z.unknown()).mutation(({ input }) => ({ input })),
  read: t.procedure.input(z.unknown()).query(({ input }) => ({ input })),
});

const reached = vi.fn();
const failed = vi.fn();
const readsTheSocket = vi.fn();
const closed: (() => void)[] = [];
let server: Server;
let port: number;

const renderError: ErrorRequestHandler = (error, _request, response, _next) => {
  failed(error.code);
  const { status, headers, body } = errorBodyOf(error);
  response.status(status).set(headers).json(body);
};

function createTestApp() {
  const app = express();
  const limits = bodyLimits({ maxBodyBytes: MAX_BODY_BYTES });
  app.use((_request, response, next) => {
    response.locals.party = new Party('test');
    response.once('close', () => closed.shift()?.());
    next();
  });
  app.use('/rest', createGate(limits));
  app.use('/hasty', createGate({ ...limits, bodyTimeoutMs: 250 }));
  app.use(
    '/trpc',
    async (request, response, next) => {
      if (await receiveTrpcInput(request, response, { limits, countWork: () => undefined })) next();
    },
    (request, _response, next) => {
      const { on } = request;
      request.on = (event: string, listener: (...values: unknown[]) => void) => {
        if (event === 'data') readsTheSocket();
        return on.call(request, event, listener);
      };
      next();
    },
  );
  app.use('/trpc', createExpressMiddleware({ router }));
  app.use((request, response) => {
    reached();
    response.json({ parsed: parsedBody(request), left: request.body === undefined ? 'nothing' : 'a body' });
  });
  app.use(renderError);
  return app;
}

beforeAll(async () => {
  server = createTestApp().listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  vi.clearAllMocks();
});

function call(path: string, init: RequestInit = {}) {
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: JSON_TYPE, ...init });
}

async function open(head: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(`${head}\r\nHost: localhost\r\nContent-Type: application/json\r\n`);
  return socket;
}

async function answerOn(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes('}')) break;
  }
  return text;
}

function closing(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

async function codeOf(response: Response): Promise<unknown> {
  return [response.status, ((await response.json()) as { code: string }).code];
}

describe('the REST gate', () => {
  test('11.3 hands on a JSON object, and leaves no body on the request', async () => {
    const response = await call('/rest', { body: '{"a": ["ä"]}' });
    expect(await response.json()).toEqual({ parsed: { a: ['ä'] }, left: 'nothing' });
  });

  test('10.2 takes no notice of a GET', async () => {
    const response = await call('/rest', { method: 'GET', headers: { 'content-type': 'text/plain' } });
    expect(await response.json()).toMatchObject({ parsed: {} });
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json ; Charset="utf-8" ',
    'application/json; charset=utf8',
    'application/json;',
  ])('11.1 accepts the content type %j', async (contentType) => {
    expect((await call('/rest', { body: '{}', headers: { 'content-type': contentType } })).status).toBe(200);
  });

  test.each([
    'text/plain',
    'application/json-patch+json',
    'application/jsonx',
    'text/json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset="utf-8',
    'application/json, text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    '',
  ])('11.1 refuses the content type %j with 415', async (contentType) => {
    const response = await call('/rest', { body: '{}', headers: { 'content-type': contentType } });
    expect(await codeOf(response)).toEqual([415, 'unsupported_media_type']);
    expect(reached).not.toHaveBeenCalled();
  });

  test('11.1 refuses a body without a content type, and a compressed one', async () => {
    expect(await codeOf(await call('/rest', { body: Buffer.from('{}'), headers: {} }))).toEqual([
      415,
      'unsupported_media_type',
    ]);
    const compressed = await call('/rest', { body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } });
    expect(await codeOf(compressed)).toEqual([415, 'unsupported_media_type']);
    const plain = await call('/rest', { body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'Identity' } });
    expect(plain.status).toBe(200);
  });

  test.each([
    ['an empty body', '', 'invalid_json'],
    ['broken JSON', '{"a": ', 'invalid_json'],
    ['a list', '[{}]', 'not_an_object'],
    ['a key given twice', '{"a": 1, "a": 2}', 'duplicate_key'],
    ['__proto__', '{"__proto__": {}}', 'forbidden_key'],
    ['NUL', '{"a": "\\u0000"}', 'nul_character'],
    ['half a surrogate pair', '{"a": "\\udc00"}', 'lone_surrogate'],
    ['33 levels', `{"a": ${'['.repeat(32)}${']'.repeat(32)}}`, 'too_deep'],
    ['invalid UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 'invalid_utf8'],
  ])('11.3 answers 400 for %s', async (_name, body, code) => {
    expect(await codeOf(await call('/rest', { body }))).toEqual([400, code]);
    expect(reached).not.toHaveBeenCalled();
  });

  test('11.3 names the field to blame in a body, over tRPC and in the input of a GET', async () => {
    const body = '{"a": {"b": 1, "b": 2}}';
    const answers = [
      await call('/rest', { body }),
      await call('/trpc/echo', { body }),
      await call(`/trpc/read?input=${encodeURIComponent(body)}`, { method: 'GET' }),
    ];
    const errors = [{ detail: expect.any(String), code: 'duplicate_key', attr: 'a.b' }];
    for (const answer of answers) expect(await answer.json()).toMatchObject({ code: 'duplicate_key', errors });
  });

  test('11.2 reads a character that arrives in two pieces', async () => {
    const socket = await open('POST /rest HTTP/1.1');
    const [first, second] = [Buffer.from('{"a": "\u00e4"}').subarray(0, 8), Buffer.from('{"a": "\u00e4"}').subarray(8)];
    socket.write('Transfer-Encoding: chunked\r\n\r\n8\r\n');
    socket.write(first);
    socket.write(`\r\n${second.length.toString(16)}\r\n`);
    socket.write(second);
    socket.write('\r\n0\r\n\r\n');
    expect(await answerOn(socket)).toContain('{"parsed":{"a":"ä"}');
    socket.destroy();
  });
});

describe('the limit', () => {
  const bodyOf = (bytes: number) => `{"a": "${'x'.repeat(bytes - 9)}"}`;

  test('11.2 accepts a body of exactly the limit, and answers 413 for one byte more', async () => {
    expect((await call('/rest', { body: bodyOf(MAX_BODY_BYTES) })).status).toBe(200);
    expect(await codeOf(await call('/rest', { body: bodyOf(MAX_BODY_BYTES + 1) }))).toEqual([413, 'payload_too_large']);
  });

  test('11.2 answers 413 to a declared length before any of the body has come', async () => {
    const socket = await open('POST /rest HTTP/1.1');
    socket.write(`Content-Length: ${MAX_BODY_BYTES + 1}\r\n\r\n`);
    expect(await answerOn(socket)).toMatch(/^HTTP\/1.1 413 .*"code":"payload_too_large"/s);
    socket.destroy();
  });

  test('11.2 counts a chunked body while it comes, and answers 413 before its end', async () => {
    const socket = await open('POST /rest HTTP/1.1');
    socket.write('Transfer-Encoding: chunked\r\n\r\n');
    for (let sent = 0; sent <= MAX_BODY_BYTES; sent += 100) socket.write(`64\r\n${'x'.repeat(100)}\r\n`);
    expect(await answerOn(socket)).toMatch(/^HTTP\/1.1 413 .*"code":"payload_too_large"/s);
    socket.destroy();
  });

  test.each(['close', 'keep-alive'])(
    '11.2 lets a client of "Connection: %s" read its 413 after 12 MB',
    async (connection) => {
      const outgoing = httpRequest({ port, path: '/rest', method: 'POST', headers: { ...JSON_TYPE, connection } });
      const answered = once(outgoing, 'response');
      await new Promise<void>((resolve) => {
        outgoing.end(Buffer.alloc(12_000_000, 'x'), () => resolve());
      });
      const [response] = (await answered) as [IncomingMessage];
      expect(response.statusCode).toBe(413);
      response.resume();
    },
  );

  test('11.2 cuts the connection of a client that sends on for ever', async () => {
    const socket = await open('POST /hasty HTTP/1.1');
    socket.write('Transfer-Encoding: chunked\r\n\r\n');
    const sendOn = () => {
      if (socket.writable) socket.write(`ffff\r\n${'x'.repeat(0xffff)}\r\n`, () => setImmediate(sendOn));
    };
    const cut = closing(socket);
    sendOn();
    expect(await answerOn(socket)).toMatch(/^HTTP\/1.1 413 /);
    await cut;
  });
});

describe('the time limit', () => {
  test('11.2 answers 408 when a body does not arrive in time', async () => {
    const socket = await open('POST /hasty HTTP/1.1');
    socket.write('Content-Length: 100\r\n\r\n{"a": ');
    const cut = closing(socket);
    expect(await answerOn(socket)).toMatch(/^HTTP\/1.1 408 .*Connection: close.*"code":"request_timeout"/s);
    await cut;
    expect(reached).not.toHaveBeenCalled();
  });

  test('11.2 does not wait for a client that went away before the gate was reached', async () => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'POST', headers: JSON_TYPE });
    request.destroy();
    await once(request, 'close');
    const gate = createGate(bodyLimits());
    await gate(request as never, new ServerResponse(request) as never, reached);
    expect(reached).not.toHaveBeenCalled();
  });

  test('11.2 stays quiet when the client goes away in the middle of a body', async () => {
    const gone = new Promise<void>((resolve) => {
      closed.push(resolve);
    });
    const socket = await open('POST /rest HTTP/1.1');
    await new Promise<void>((resolve) => {
      socket.write('Content-Length: 100\r\n\r\n{"a": ', () => resolve());
    });
    socket.resetAndDestroy();
    await gone;
    expect(reached).not.toHaveBeenCalled();
    expect(failed).not.toHaveBeenCalled();
  });
});

describe('the tRPC gate', () => {
  const echoed = async (response: Response) => ((await response.json()) as { result?: { data: unknown } }).result?.data;

  test('11.3 hands any JSON value to tRPC, which does not read the socket again', async () => {
    expect(await echoed(await call('/trpc/echo', { body: '[1, "ä"]' }))).toEqual({ input: [1, 'ä'] });
    expect(await echoed(await call('/trpc/echo', { body: 'null' }))).toEqual({ input: null });
    expect(readsTheSocket).not.toHaveBeenCalled();
  });

  test('11.3 takes an empty body over tRPC as no input', async () => {
    expect(await echoed(await call('/trpc/echo', { body: '' }))).toEqual({});
  });

  test('11.3 takes batches over tRPC', async () => {
    const response = await call('/trpc/echo,echo?batch=1', { body: '{"0": 1, "1": {"a": 2}}' });
    const answers = (await response.json()) as { result: { data: unknown } }[];
    expect(answers.map(({ result }) => result.data)).toEqual([{ input: 1 }, { input: { a: 2 } }]);
  });

  test.each([
    ['a key given twice', '{"a": 1, "a": 2}', 400, 'duplicate_key'],
    ['NUL', '"\\u0000"', 400, 'nul_character'],
    ['900 levels', '['.repeat(900), 400, 'too_deep'],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 400, 'invalid_utf8'],
    ['too much', 'x'.repeat(MAX_BODY_BYTES + 1), 413, 'payload_too_large'],
  ])('11.3 is as strict over tRPC: %s', async (_name, body, status, code) => {
    expect(await codeOf(await call('/trpc/echo', { body }))).toEqual([status, code]);
  });

  test('11.1 takes no other content type over tRPC', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    expect(await codeOf(await call('/trpc/echo', { body: 'x', headers }))).toEqual([415, 'unsupported_media_type']);
  });

  test('11.3 is as strict with the input of a GET', async () => {
    const read = (input: string) => call(`/trpc/read?${input}`, { method: 'GET' });
    expect(await echoed(await read(`input=${encodeURIComponent('{"a": "ä"}')}`))).toEqual({ input: { a: 'ä' } });
    expect(await echoed(await read('input='))).toEqual({});
    expect(await codeOf(await read(`input=${encodeURIComponent('{"a": 1, "a": 2}')}`))).toEqual([400, 'duplicate_key']);
    expect(await codeOf(await read(`%69nput=${encodeURIComponent('"\\u0000"')}`))).toEqual([400, 'nul_character']);
    expect(await codeOf(await read('input=%22%FF%22'))).toEqual([400, 'invalid_utf8']);
    expect(await codeOf(await read('input={a'))).toEqual([400, 'invalid_json']);
    expect(() => checkQueryJson('{')).toThrow('The query parameter input is not valid JSON: see line 1, column 2.');
  });

  test('10.2 lets tRPC refuse another method without reading its body', async () => {
    const response = await call('/trpc/echo', { method: 'PUT', body: '{"a": 1}' });
    expect(response.status).toBe(405);
    expect(readsTheSocket).not.toHaveBeenCalled();
  });
});
