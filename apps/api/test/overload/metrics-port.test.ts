import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenAt, tryPorts } from '../../src/http/listen.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('16.9 metrics on a port of their own are not on the public one, and nothing else is on theirs', async () => {
  const { url, metricsUrl } = await service.startInstance({ METRICS_PORT: '0' });
  const hidden = await fetch(`${url}/metrics`);
  expect([hidden.status, await hidden.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
  const shown = await fetch(`${metricsUrl}/metrics`);
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('causeway_requests_at_work 0')]);
  expect((await fetch(`${metricsUrl}/healthz`)).status).toBe(404);
  expect((await fetch(`${metricsUrl}/v1/data-import/notes/create/`, { method: 'POST' })).status).toBe(404);
});

test('16.9.3 metrics may have an address of their own', async () => {
  const { url, metricsUrl } = await service.startInstance({ METRICS_PORT: '0', METRICS_HOST: '127.0.0.2' });
  expect([new URL(url).hostname, new URL(metricsUrl ?? '').hostname]).toEqual(['127.0.0.1', '127.0.0.2']);
  expect((await fetch(`${metricsUrl}/metrics`)).status).toBe(200);
  await expect(service.startInstance({ METRICS_PORT: '0', METRICS_HOST: '192.0.2.1' })).rejects.toThrow(
    'set METRICS_HOST to one',
  );
});

test('16.9 a metrics port that is taken stops the start with its name', async () => {
  const { port } = new URL(service.url);
  await expect(service.startInstance({ METRICS_PORT: port })).rejects.toThrow(
    `Port ${port} is taken: set METRICS_PORT`,
  );
});

test('16.2.7 one port for the service and its metrics is refused before anything is started', async () => {
  const address = { host: '127.0.0.3', hostVariable: 'HOST' } as const;
  const server = createServer();
  const { port } = await listenAt(server, { ...address, port: 0, variable: 'PORT' });
  await new Promise((resolve) => server.close(resolve));
  const same = { ...address, port };
  const tried = tryPorts({ ...same, variable: 'PORT' }, { ...same, variable: 'METRICS_PORT' });
  await expect(tried).rejects.toThrow('PORT and METRICS_PORT are the same');
  await tryPorts({ ...same, variable: 'PORT' });
});
