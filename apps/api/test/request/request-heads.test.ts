import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { revoke } from '../graphql/api-keys.ts';
import { openSocket, requestHead } from '../operations/raw-sockets.ts';
import { sendRaw } from '../rest/wire-calls.ts';
import { type ImportedAccount, serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();

const supplier = await service.createSupplier();
const list = `/v1/data-import/all-account-import-processes/${supplier.code}/`;
const authorization = `Token ${supplier.token}`;

const VALIDATE = '/v1/data-import/validate-account/';

describe('a client that waits for "100 Continue"', () => {
  const expecting = (length: number, token: string) =>
    requestHead(`POST ${VALIDATE}`, {
      Authorization: `Token ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': String(length),
      Expect: '100-continue',
    });

  it('10.4 is asked for its body once its head is good, and answered', async () => {
    const body = JSON.stringify(supplier.account());
    const socket = await openSocket(service.url);
    socket.write(expecting(Buffer.byteLength(body), supplier.token));
    expect(await socket.read(/\r\n\r\n/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    expect(await socket.read(/HTTP\/1.1 200 OK.*\}$/s)).toContain(supplier.code);
    socket.destroy();
  });

  it.each([
    ['an unknown token', () => expecting(10, 'nobody'), 401],
    ['a body that is too large', () => expecting(100_000_000, supplier.token), 413],
  ])('10.4 is refused before it sends anything, and its connection ends: %s', async (_name, head, status) => {
    const socket = await openSocket(service.url);
    socket.write(head());
    const received = await socket.closed();
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(received).toContain('Connection: close');
    expect(received).not.toContain('100 Continue');
  });

  it('10.4 is told in the error shape that nothing else can be expected', async () => {
    const head = requestHead(`GET ${list}`, { Authorization: authorization, Expect: '200-ok' });
    expect(await sendRaw(service.url, head)).toMatchObject({
      status: 400,
      body: { code: 'request_failed_validation' },
    });
  });
});

test('16.7.3 a connection may have some requests waiting, and is cut with one too many', async () => {
  const own = await service.createSupplier();
  const post = 'POST /v1/data-import/account-import-process/create-or-update/';
  const stage = (number: string) => {
    const body = JSON.stringify(own.account({ external_account_number: number }));
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
    return `${requestHead(post, { Authorization: `Token ${own.token}`, ...headers })}${body}`;
  };
  const send = async (count: number, series: string) => {
    const socket = await openSocket(service.url);
    socket.write(Array.from({ length: count }, (_, index) => stage(`${series}-${index}`)).join(''));
    return socket;
  };
  const stagedOf = (series: string) =>
    service.database.prisma.accountImport.count({
      where: { import_supplier_code: own.code, external_account_number: { startsWith: series } },
    });
  const some = await send(9, 'SOME');
  await some.read(/(HTTP\/1\.1 201.*){9}/s);
  expect(await stagedOf('SOME')).toBe(9);
  some.destroy();
  const many = await send(40, 'MANY');
  const answers = (await many.closed()).match(/HTTP\/1\.1 /g) ?? [];
  expect(answers.length).toBeLessThan(10);
  const behind = Array.from({ length: 30 }, (_, index) => `MANY-${index + 10}`);
  const { prisma } = service.database;
  expect(await prisma.accountImport.count({ where: { external_account_number: { in: behind } } })).toBe(0);
});

test('16.7.3 of what came in one piece with the request at which a connection is cut, hardly anything is read', async () => {
  let begun = 0;
  const count = () => {
    begun += 1;
  };
  subscribe('http.server.request.start', count);
  onTestFinished(() => void unsubscribe('http.server.request.start', count));
  const socket = await openSocket(service.url);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2_000));
  await socket.closed();
  expect(begun).toBeLessThanOrEqual(10);
});

describe('a head that leaves open what counts', () => {
  it.each([
    ['two tokens', () => `Host: x\r\nAuthorization: Token nobody\r\nauthorization: ${authorization}`],
    ['the same token twice', () => `Host: x\r\nAuthorization: ${authorization}\r\nAuthorization: ${authorization}`],
    ['two hosts', () => `Host: x\r\nHost: y\r\nAuthorization: ${authorization}`],
    ['no host', () => `Authorization: ${authorization}`],
  ])('10.4 is refused in the error shape: %s', async (_name, headers) => {
    for (const target of [list, '/trpc/organisations.list', '/nowhere']) {
      const answer = await sendRaw(service.url, `GET ${target} HTTP/1.1\r\n${headers()}\r\n\r\n`);
      expect(answer.status).toBe(400);
      const error = target.startsWith('/trpc') ? answer.body.error.data.error : answer.body;
      expect(error).toMatchObject({ code: 'request_failed_validation', detail: expect.stringMatching(/header\.$/) });
    }
  });

  it('10.4 is refused in the shape of GraphQL there, as a request that nobody should repeat', async () => {
    const socket = await openSocket(service.url);
    socket.write('POST /v1/graphql/ HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n');
    expect(await socket.closed()).toMatch(/^HTTP\/1\.1 400 .*"errorCode":"CW-1001"/s);
  });

  it.each(['TRACE', 'PUT', 'OPTIONS'])('10.4 is refused over tRPC where its method is %s', async (method) => {
    const head = requestHead(`${method} /trpc/organisations.list`, { Authorization: authorization });
    const { status, headers } = await sendRaw(service.url, head);
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('10.5.5 a mutation is refused with HEAD as it is with GET, alone and in a batch', async () => {
    const headers = { Authorization: authorization };
    const call = (method: string, paths: string) => fetch(`${service.url}/trpc/${paths}`, { method, headers });
    const get = await call('GET', 'dataImport.createBulkJob');
    const head = await call('HEAD', 'dataImport.createBulkJob');
    expect([get.status, head.status, head.headers.get('allow')]).toEqual([405, 405, get.headers.get('allow')]);
    expect(await head.text()).toBe('');
    const batch = 'dataImport.listBulkJobs,dataImport.createBulkJob?batch=1';
    expect((await call('HEAD', batch)).status).toBe(405);
    expect((await call('HEAD', 'dataImport.listBulkJobs')).status).toBe(204);
  });

  it('10.4 an answer in HTTP/1.0 has its length, so that the connection can be kept', async () => {
    const answer = await sendRaw(
      service.url,
      `GET ${list}?limit=1 HTTP/1.0\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '2']);
  });

  it('10.4 may lack a host in HTTP/1.0, as ever', async () => {
    const answer = await sendRaw(service.url, `GET ${list} HTTP/1.0\r\nAuthorization: ${authorization}\r\n\r\n`);
    expect(answer).toMatchObject({ status: 200, body: [] });
  });
});

describe('a target with the host in it', () => {
  it('10.1 means the same as the path alone', async () => {
    const headers = { Authorization: authorization };
    for (const origin of ['http://service', 'HTTP://service:80', 'https://service']) {
      const answer = await sendRaw(service.url, requestHead(`GET ${origin}${list}?limit=1`, headers));
      expect(answer).toMatchObject({ status: 200, body: [] });
    }
    expect((await sendRaw(service.url, requestHead('GET http://service', headers))).status).toBe(404);
    expect((await sendRaw(service.url, requestHead('GET ftp://service/', headers))).status).toBe(404);
  });
});

describe('every answer', () => {
  it('10.5 is JSON over tRPC too, whatever is wrong', async () => {
    const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
    for (const [method, path] of [
      ['GET', '/trpc'],
      ['GET', '/trpc/'],
      ['GET', '/trpc/nothing'],
      ['PUT', '/trpc/dataImport.validateAccount'],
      ['DELETE', '/trpc/dataImport.validateAccount'],
      ['PATCH', '/trpc/dataImport.validateAccount'],
      ['OPTIONS', '/trpc/dataImport.validateAccount'],
      ['GET', '/trpc/dataImport.validateAccount'],
      ['POST', '/trpc/dataImport.listAccountImports'],
      ['GET', '/trpc/a,b,c?batch=1'],
      ['GET', `/trpc/${Array(60).fill('organisations.list').join(',')}?batch=1`],
      ['GET', '/trpc/%ZZ'],
      ['GET', '/trpc/organisations.list?batch=1&input=7'],
      ['POST', '/trpc/dataImport.validateAccount?batch=2'],
    ] as const) {
      const body = method === 'POST' ? '{}' : null;
      const response = await fetch(`${service.url}${path}`, { method, headers, body });
      expect(response.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('Content-Type'), `${method} ${path}`).toMatch(/^application\/json\b/);
      expect(JSON.parse(await response.text())).toBeInstanceOf(Object);
    }
  });

  it('10.4 forbids to guess its type, and to keep it where it may hold personal data', async () => {
    const headers = { Authorization: authorization };
    for (const [path, cacheControl] of [
      [list, 'no-store'],
      [`${list}?limit=1`, 'no-store'],
      ['/v1/data-import/nothing/', 'no-store'],
      ['/trpc/organisations.list', 'no-store'],
      ['/v1/graphql/', 'no-store'],
      ['/openapi.json', 'no-cache'],
      ['/docs/favicon.svg', 'public, max-age=3600'],
    ]) {
      const response = await fetch(`${service.url}${path}`, { headers });
      expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect([path, response.headers.get('Cache-Control')]).toEqual([path, cacheControl]);
    }
  });
});

function addCharge({ reference }: Pick<ImportedAccount, 'reference'>, transaction_id: string): string {
  const charge = {
    transaction_id,
    transaction_date: '2026-01-05',
    amount: 10,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
  };
  const body = JSON.stringify({ ...reference, transactions: [charge] });
  const head = [
    'POST /v1/data-import/transactions/create/ HTTP/1.1',
    'Host: localhost',
    `Authorization: Token ${supplier.token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** All that the service answers until it closes the connection. */
async function answersTo(sent: string): Promise<string[]> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(sent);
  const received = await text(socket);
  return received.match(/HTTP\/1\.1 \d{3}/g) ?? [];
}

const LONG_HEAD = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`;
const BAD_CHUNKS =
  'POST /v1/graphql/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno\r\n';

describe('a request that has come completely', () => {
  let account: ImportedAccount;
  beforeEach(async () => {
    account = await supplier.importAccount();
  });

  it.each([
    ['NUL', '\0'],
    ['a brace', '}'],
    ['a request whose head is too long', LONG_HEAD],
    ['a request with a bad header', 'GET /healthz HTTP/1.1\r\nBad Header\r\n\r\n'],
    ['a request with a bad body', BAD_CHUNKS],
  ])('10.4.4 gets its own answer, and the connection ends, where %s follows it', async (_name, behind) => {
    expect(await answersTo(addCharge(account, 'T-1') + behind)).toEqual(['HTTP/1.1 201']);
    expect(await service.database.prisma.transaction.count({ where: { account_import_id: account.id } })).toBe(1);
  });

  it('10.4.4 gets its own answer behind another one too', async () => {
    expect(await answersTo(`${addCharge(account, 'T-1')}${addCharge(account, 'T-2')}}`)).toEqual([
      'HTTP/1.1 201',
      'HTTP/1.1 201',
    ]);
  });

  it('10.4.4 is refused where its own body cannot be read', async () => {
    expect(await answersTo(BAD_CHUNKS)).toEqual(['HTTP/1.1 400']);
  });
});

/** Longer than the service goes by what it knew when the head came. */
const LATE_MS = 6_000;
const SPACES = 100;

test.concurrent.each(['/v1/data-import/account-import-process/create-or-update/', '/trpc/dataImport.stageAccount'])(
  '5.4 a key that is revoked while the body of a request arrives has no effect: %s',
  async (path) => {
    const supplier = await service.createSupplier();
    const body = JSON.stringify(supplier.account());
    const socket = await openSocket(service.url);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body) + SPACES) };
    socket.write(requestHead(`POST ${path}`, { Authorization: `Token ${supplier.token}`, ...headers }) + body);
    const { prisma } = service.database;
    const key = await prisma.apiKey.findFirstOrThrow({ where: { organisation_id: supplier.organisationId } });
    await revoke(service.database, key.id);
    // A client on a slow line: white space, now and then.
    for (let sent = 0; sent < SPACES; sent += 1) {
      socket.write(' ');
      await delay(LATE_MS / SPACES);
    }
    expect(await socket.read(/\r\n\r\n.*\}$/s)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await prisma.accountImport.count({ where: { import_supplier_code: supplier.code } })).toBe(0);
    socket.destroy();
  },
);
