import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answerUnreadableRequests } from '../../src/answers/unreadable-requests.ts';
import { serviceOfFile } from '../support/test-service.ts';
import { openSocket, requestHead } from './raw-sockets.ts';

/** With time for everything: a supplier is made here. */
let hastyUrl: string;
const service = await serviceOfFile();
const limits = { HEADERS_TIMEOUT_MS: '200', BODY_TIMEOUT_MS: '200', IDLE_TIMEOUT_MS: '200' };
({ url: hastyUrl } = await service.startInstance({ ...limits, DATABASE_STATEMENT_TIMEOUT_MS: '2000' }));

test.concurrent('16.7 closes a connection on which headers take too long, with an answer', async () => {
  const socket = await openSocket(hastyUrl);
  socket.write('GET /healthz HTTP/1.1\r\nHost: service\r\n');
  expect(await socket.closed()).toMatch(/^HTTP\/1\.1 408 .*"request_timeout"/s);
});

test.concurrent('16.7 closes a connection on which nothing is ever sent', async () => {
  const socket = await openSocket(hastyUrl);
  expect(await socket.closed()).toMatch(/^(?:HTTP\/1\.1 408 .*"request_timeout".*)?$/s);
});

test.concurrent('16.7 closes a connection whose client does not leave after it was told to', async () => {
  const socket = await openSocket(hastyUrl, { staysHalfOpen: true });
  socket.write('GET /healthz HTTP/1.1\r\nHost: service\r\n');
  expect(await socket.closed()).toMatch(/^HTTP\/1\.1 408 /);
});

test.concurrent('16.7 closes a connection on which a body takes too long, with an answer', async () => {
  const supplier = await service.createSupplier();
  const socket = await openSocket(hastyUrl);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
  socket.write(
    `${requestHead('POST /v1/data-import/notes/create/', { Authorization: supplier.token, ...headers })}{"a"`,
  );
  expect(await socket.closed()).toMatch(/^HTTP\/1\.1 408 .*"request_timeout"/s);
});

test.concurrent('16.7 closes a connection whose client does not read its answers', async () => {
  const { hostname, port } = new URL(hastyUrl);
  const socket = connect({ port: Number(port), host: hostname });
  const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
  socket.write(requestHead('GET /openapi.json').repeat(200));
  // What nobody takes any more is how a client that does not read learns of the end.
  const writing = setInterval(() => socket.write('\r\n'), 100);
  await closed;
  clearInterval(writing);
});

test.concurrent('16.7 closes a connection that was used and is idle', async () => {
  const socket = await openSocket(hastyUrl);
  socket.write(requestHead('GET /healthz'));
  expect(await socket.closed()).toMatch(/^HTTP\/1\.1 200 /);
});

test('16.7.2 a request that is not answered in time is told so, before its connection is closed', async () => {
  const server = createServer((_request, response) => Object.assign(response, { locals: {} }));
  onTestFinished(() => void server.close());
  answerUnreadableRequests(server);
  server.timeout = 50;
  await once(server.listen(0), 'listening');
  const answer = await fetch(`http://localhost:${(server.address() as AddressInfo).port}`, {
    method: 'PUT',
    body: 'x',
  });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await answer.json()).toMatchObject({
    code: 'service_unavailable',
    detail: expect.stringContaining('in time'),
  });
});

const LOG_WRITTEN_EVERY_MS = 500;

test('16.6 a request that is on its way when the service is told to stop is answered, and ends its connection', async () => {
  const instance = await service.startInstance();
  const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(instance.url)));
  for (const socket of sockets) socket.write(requestHead('GET /healthz'));
  for (const socket of sockets) await socket.read(/"alive"\}/);
  const stopped = instance.stop();
  for (const socket of sockets) socket.write(requestHead('GET /healthz'));
  for (const socket of sockets) {
    const [, , second] = (await socket.closed()).split('HTTP/1.1 ');
    expect(second).toMatch(/^200 OK.*Connection: close/is);
  }
  await stopped;
});

test('16.6.5 a service that was stopped leaves no interval behind but that of the log', async () => {
  const started = vi.spyOn(globalThis, 'setInterval');
  const cleared = vi.spyOn(globalThis, 'clearInterval');
  const instance = await service.startInstance();
  await instance.stop();
  const intervals = started.mock.results.map(({ value }, index) => ({ value, ms: started.mock.calls[index]?.[1] }));
  const ended = new Set<unknown>(cleared.mock.calls.map(([interval]) => interval));
  vi.restoreAllMocks();
  expect(intervals.length).toBeGreaterThan(1);
  expect(intervals.filter(({ value }) => !ended.has(value)).map(({ ms }) => ms)).toEqual([LOG_WRITTEN_EVERY_MS]);
});
