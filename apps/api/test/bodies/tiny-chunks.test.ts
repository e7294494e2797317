import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { Pieces } from '../../src/bodies/pieces.ts';
import { serviceOfFile } from '../support/test-service.ts';

// No other limit ends these connections before the test does.
const service = await serviceOfFile({ BODY_TIMEOUT_MS: '300000', HEADERS_TIMEOUT_MS: '300000' });

const supplier = await service.createSupplier();

const VALIDATE = '/v1/data-import/validate-account/';
const STAGE = '/v1/data-import/account-import-process/create-or-update/';
const TINY = '1\r\nx\r\n'.repeat(1_000);

async function open(
  method: string,
  path: string,
  token?: string,
): Promise<{ socket: Socket; closed: Promise<string> }> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  // It may be reset while this sends.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(answer));
  });
  const authorization = token === undefined ? '' : `Authorization: Token ${token}\r\n`;
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: application/json\r\n`);
  socket.write('Transfer-Encoding: chunked\r\n\r\n');
  return { socket, closed };
}

function sendOnForEver(socket: Socket): void {
  if (socket.writable) socket.write(TINY, () => setImmediate(sendOnForEver, socket));
}

const chunked = (pieces: string[]) =>
  `${pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;
const inPiecesOf = (length: number, text: string) =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, at) => text.slice(at * length, (at + 1) * length));

describe('chunks of one byte', () => {
  it('11.2.6 are refused after the first 1,000 or so, long before the body is too large', async () => {
    const { socket } = await open('POST', VALIDATE, supplier.token);
    const answered = once(socket, 'data');
    for (let written = 0; written < 3; written += 1) socket.write(TINY);
    expect(String(await answered)).toMatch(/^HTTP\/1.1 413 .*"code":"payload_too_large"/s);
    socket.destroy();
  });

  it.each([
    ['to a path that needs a token, without one', 'POST', VALIDATE, '401'],
    ['with a GET', 'GET', '/healthz', '200'],
    ['to a page', 'POST', '/docs', '405'],
    ['with another method', 'PUT', '/v1/graphql/', '405'],
    ['to ObtainToken', 'POST', '/v1/graphql/', '413'],
  ])('11.2.6 end the connection: %s', async (_name, method, path, status) => {
    const { socket, closed } = await open(method, path);
    // Else the answer might be lost when the connection is cut.
    const answered = once(socket, 'data');
    if (status === '413') socket.write(TINY + TINY);
    expect(String(await answered)).toContain(`HTTP/1.1 ${status}`);
    sendOnForEver(socket);
    await closed;
  });
});

const chunkedTo = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

test.each([
  ['to ObtainToken', `${chunkedTo('/v1/graphql/')}${TINY.repeat(9)}`],
  ['to a page', `${chunkedTo('/docs')}${TINY.repeat(9)}`],
  ['of requests with 990 each', `${chunkedTo('/v1/graphql/')}${TINY.slice(60)}0\r\n\r\n`.repeat(9)],
])('11.2.6 of a piece of tiny chunks that comes at once, hardly more than those are read: %s', async (_name, sent) => {
  let read = 0;
  const push = vi.spyOn(IncomingMessage.prototype, 'push').mockImplementation(function (this: Readable, piece) {
    if (piece !== null) read += 1;
    return Readable.prototype.push.call(this, piece);
  });
  onTestFinished(() => push.mockRestore());
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const closed = once(socket.resume(), 'close');
  socket.write(sent);
  await closed;
  expect(read).toBeGreaterThan(1_000);
  expect(read).toBeLessThan(3_000);
});

test('11.2.3 2,000 pieces of 100 bytes are read to their end, and then 900 of one byte', async () => {
  const text = JSON.stringify(supplier.account()).padEnd(200_000, ' ');
  const { socket } = await open('POST', STAGE, supplier.token);
  const answered = once(socket, 'data');
  socket.write(chunked([...inPiecesOf(100, text), ...Array<string>(900).fill(' ')]));
  expect(String(await answered)).toMatch(/^HTTP\/1.1 201 /);
  socket.destroy();
});

test('11.2.3 pieces of all sizes are one body in their order, in about as much memory', () => {
  const small = Array.from({ length: 9_000 }, (_, index) => 1 + (index % 7));
  const sizes = [1, 1, 5_000, 3, 1_023, 1_024, 1_025, 2, ...small, 70_000];
  const given = sizes.map((size, index) => Buffer.alloc(size, index % 251));
  const pieces = new Pieces();
  const taken = given.map((piece) => pieces.add(piece)).reduce((sum, bytes) => sum + bytes);
  const { bytes } = pieces;
  expect(pieces.join()).toEqual(Buffer.concat(given));
  expect(bytes).toBe(sizes.reduce((sum, size) => sum + size));
  expect(taken).toBeGreaterThanOrEqual(bytes - 1);
  expect(taken).toBeLessThan(1.2 * bytes);
});
