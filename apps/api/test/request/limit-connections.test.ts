import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openSocket, requestHead } from '../operations/raw-sockets.ts';
import { serviceOfFile, until } from '../support/test-service.ts';

const service = await serviceOfFile();

/** Asks on a new connection, from a loopback address of its own; the connection stays open. */
async function ask(url: string, { from, forwarded }: { from?: string; forwarded?: string } = {}) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ...(from && { localAddress: from }) });
  socket.on('error', () => undefined);
  socket.write(requestHead('GET /healthz', forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }));
  const [answer] = await once(socket.setEncoding('utf8'), 'data');
  return { answer: String(answer), close: () => socket.destroy() };
}

test('17.5 a connection over the limit is told so at once and closed, and the others continue', async () => {
  const { url } = await service.startInstance({ MAX_CONNECTIONS: '3' });
  const open = await Promise.all([ask(url), ask(url), ask(url)]);
  expect(open.map(({ answer }) => answer.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'));
  // Without a request: it is told anyway.
  const refused = await (await openSocket(url)).closed();
  expect(refused).toMatch(/^HTTP\/1\.1 503 .*"service_unavailable"/s);
  expect(refused).toMatch(/^Retry-After: 5\r$/m);
  expect(refused).toMatch(/^Connection: close\r$/m);
  open[0]?.close();
  await until(async () => !(await ask(url)).answer.startsWith('HTTP/1.1 503'));
});

test('17.5 nothing of a connection over the limit is done', async () => {
  const { url } = await service.startInstance({ MAX_CONNECTIONS: '1' });
  const supplier = await service.createSupplier();
  const kept = await ask(url);
  const socket = await openSocket(url);
  const body = JSON.stringify(supplier.account({ external_account_number: 'NEVER' }));
  const headers = {
    ...{ Authorization: supplier.token, 'Content-Type': 'application/json' },
    'Content-Length': String(Buffer.byteLength(body)),
  };
  socket.write(requestHead('POST /v1/data-import/account-import-process/create-or-update/', headers) + body);
  const answers = (await socket.closed()).match(/HTTP\/1\.1 \d+/g);
  expect(answers).toEqual(['HTTP/1.1 503']);
  kept.close();
  expect(await service.database.prisma.accountImport.count({ where: { external_account_number: 'NEVER' } })).toBe(0);
});

test('17.5 one address has fewer connections than all, unless all come through a proxy', async () => {
  const limits = { MAX_CONNECTIONS: '4', MAX_CONNECTIONS_PER_ADDRESS: '2' };
  const { url } = await service.startInstance(limits);
  await ask(url);
  await ask(url);
  expect((await ask(url)).answer).toMatch(/^HTTP\/1\.1 503 /);
  expect((await ask(url, { from: '127.0.0.2' })).answer).toMatch(/^HTTP\/1\.1 200 /);
  expect((await ask(url, { from: '127.0.0.2' })).answer).toMatch(/^HTTP\/1\.1 200 /);
  // All are taken, by two: a third one still has its part.
  expect((await ask(url, { from: '127.0.0.3' })).answer).toMatch(/^HTTP\/1\.1 200 /);
  expect((await ask(url, { from: '127.0.0.3' })).answer).toMatch(/^HTTP\/1\.1 503 /);
  const proxied = await service.startInstance({ ...limits, TRUSTED_PROXIES: '1' });
  for (const forwarded of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) {
    expect((await ask(proxied.url, { forwarded })).answer).toMatch(/^HTTP\/1\.1 200 /);
  }
});
