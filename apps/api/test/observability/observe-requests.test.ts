import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { accountKey } from '@causeway/domain';
import express from 'express';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { requestFacts } from '../../src/http/request-facts.ts';
import { createLogger } from '../../src/observability/logging.ts';
import { observeRequests } from '../../src/observability/observe-requests.ts';

const observe = vi.fn();
const lines: Record<string, unknown>[] = [];
let written = Promise.withResolvers<void>();

function createTestApp() {
  const stream = {
    write: (line: string) => {
      lines.push(JSON.parse(line));
      written.resolve();
    },
  };
  const logger = createLogger({ level: 'debug', stream });
  const app = express();
  app.use(observeRequests({ logger, metrics: { countRequest: observe } }));
  app.all('/v1/data-import/account-transfer-status/:supplier/:number', (_request, response) => {
    const facts = requestFacts(response);
    facts.procedure = 'dataImport.accountStatus';
    facts.actor = { kind: 'organisation', apiKeyId: 'key-1', organisationId: 'organisation-1' };
    facts.errorCode = 'account_not_found';
    facts.subject = { importSupplier: 'DEMO', accountNumber: 'NW-0001482' };
    response.status(404).json({ request_id: facts.requestId });
  });
  app.get('/healthz', (_request, response) => {
    response.json({});
  });
  app.get('/failing', (_request, response) => {
    response.status(500).json({});
  });
  app.get('/never', () => undefined);
  return app;
}

const server = createTestApp().listen(0, '127.0.0.1');
server.keepAliveTimeout = 600_000;
await once(server, 'listening');
const port = (server.address() as AddressInfo).port;

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  vi.clearAllMocks();
  lines.length = 0;
  written = Promise.withResolvers();
});

async function call(path: string, init?: RequestInit) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  await response.text();
  await written.promise;
  return { response, line: lines[0] ?? {} };
}

const STATUS_PATH = '/v1/data-import/account-transfer-status/DEMO/NW-0001482/';

describe('observeRequests', () => {
  test('16.8 logs who called which procedure, how it ended and how long it took', async () => {
    const { line } = await call(`${STATUS_PATH}?secret=ann@example.com`, {
      method: 'POST',
      headers: { Authorization: 'Token abc', 'content-type': 'application/json' },
      body: '{"email": "ann@example.com"}',
    });
    expect(line).toEqual({
      level: 'info',
      time: expect.any(String),
      pid: process.pid,
      hostname: expect.any(String),
      request_id: expect.any(String),
      method: 'POST',
      path: STATUS_PATH,
      procedure: 'dataImport.accountStatus',
      status: 404,
      error_code: 'account_not_found',
      import_supplier: 'DEMO',
      account_import_id: accountKey('DEMO', 'NW-0001482').id,
      duration_ms: expect.any(Number),
      actor: 'supplier',
      api_key_id: 'key-1',
      msg: 'request',
    });
    expect(observe).toHaveBeenCalledExactlyOnceWith({
      operation: 'dataImport.accountStatus',
      status: 404,
      code: 'account_not_found',
      importSupplier: 'DEMO',
      seconds: expect.any(Number),
    });
  });

  test.each([
    ['/v1/data-import/notes/creat/', '/v1/data-import/notes/creat/'],
    ['/v1/customers/ann@example.com', '/v1/customers/*'],
    ['/v1/customers/ann%40example.com', '/v1/customers/*'],
    ['/cw_supplier_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ', '/*'],
    ['/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.abc', '/*'],
    ['/call/+441134960000?token=secret', '/call/*'],
    ['/v1/customers/Ann-Lee', '/v1/customers/*'],
    ['/v1/customers/ann.lee', '/v1/customers/*'],
  ])('16.8 logs the unknown path %s as %s', async (path, logged) => {
    const { line } = await call(path);
    expect(line).toMatchObject({ path: logged, status: 404 });
    expect(observe).toHaveBeenCalledExactlyOnceWith({ operation: 'other', status: 404, seconds: expect.any(Number) });
  });

  test('16.11.2 logs the id of the trace that the caller names, and none of a malformed header', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { line } = await call('/failing', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    expect(line.trace_id).toBe(traceId);
    written = Promise.withResolvers();
    lines.length = 0;
    expect((await call('/failing', { headers: { traceparent: `00-${traceId}` } })).line).not.toHaveProperty('trace_id');
  });

  test('16.8 logs a failure as an error and a successful probe at debug', async () => {
    expect((await call('/failing')).line).toMatchObject({ level: 'error', status: 500 });
    lines.length = 0;
    written = Promise.withResolvers();
    expect((await call('/healthz')).line).toMatchObject({ level: 'debug', status: 200 });
  });

  test('16.8 logs a client that left before its answer', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      socket.write('GET /never HTTP/1.1\r\nHost: localhost\r\n\r\n', () => resolve());
    });
    socket.resetAndDestroy();
    await written.promise;
    expect(lines[0]).toMatchObject({ status: 499, cut_short: true });
  });
});
