import {
  type CrashablePostgres,
  type FaultProxy,
  startCrashablePostgres,
  startFaultProxy,
  TOKEN_SECRET,
} from '@causeway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import { type Service, startService } from '../../src/service.ts';
import { startTestService, type TestService, until } from '../support/test-service.ts';

async function ask(url: string, path: string) {
  const response = await fetch(`${url}${path}`);
  return { status: response.status, body: await response.json(), id: response.headers.get('x-request-id') };
}

const READY = { status: 200, body: { status: 'ready' } };
const notReady = (problem: string) => ({ status: 503, body: { status: 'not_ready', problems: [problem] } });
const ALIVE = { status: 200, body: { status: 'alive' } };

describe('a service that works', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  test('16.5 says that it is alive and ready, to anybody', async () => {
    expect(await ask(service.url, '/healthz')).toMatchObject({ ...ALIVE, id: expect.stringMatching(/./) });
    expect(await ask(service.url, '/readyz')).toMatchObject({ ...READY, id: expect.stringMatching(/./) });
  });

  test('16.5 is not ready while a migration is missing, and says which', async () => {
    const { rows } = await service.database.pool.query<{ migration_name: string; id: string }>(
      'UPDATE _prisma_migrations SET finished_at = NULL WHERE id = (SELECT max(id) FROM _prisma_migrations) RETURNING *',
    );
    const [migration] = rows;
    expect(await ask(service.url, '/readyz')).toMatchObject(
      notReady(`migration ${migration?.migration_name} is not applied`),
    );
    expect(await ask(service.url, '/healthz')).toMatchObject(ALIVE);
    await service.database.pool.query('UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL');
    expect(await ask(service.url, '/readyz')).toMatchObject(READY);
  });
});

describe('a database that is gone', () => {
  let postgres: CrashablePostgres;
  let proxy: FaultProxy;
  let service: Service;
  beforeAll(async () => {
    postgres = await startCrashablePostgres();
    // The server comes back on another port; the proxy keeps its address.
    proxy = await startFaultProxy({ port: postgres.port });
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    const variables = { DATABASE_URL: url.href, TOKEN_SECRET, PORT: '0', LOG_LEVEL: 'silent' };
    service = await startService(readEnvironment(variables));
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await postgres.stop();
  });

  const askGraphql = async () => {
    const query = `mutation { obtainToken(input: { APIKey: "${'k'.repeat(40)}" }) { token } }`;
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ query }) };
    const response = await fetch(`${service.url}/v1/graphql/`, init);
    return JSON.stringify(await response.json());
  };

  test('16.5 makes the service unready, but neither dead nor silent, until it is back', async () => {
    expect(await ask(service.url, '/readyz')).toMatchObject(READY);
    await postgres.crash();
    expect(await ask(service.url, '/readyz')).toMatchObject(notReady('the database does not answer'));
    expect(await ask(service.url, '/healthz')).toMatchObject(ALIVE);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(200);
    expect(await askGraphql()).toContain('CW-1007');
    await postgres.start();
    proxy.retarget(postgres.port);
    await until(async () => (await ask(service.url, '/readyz')).status === 200);
    expect(await askGraphql()).toContain('CW-1101');
  });

  test('16.5 makes the service unready at once where it only keeps silent', async () => {
    await until(async () => (await ask(service.url, '/readyz')).status === 200);
    expect(proxy.blackHoleAll()).toBeGreaterThan(0);
    expect(await ask(service.url, '/readyz')).toMatchObject(notReady('the database does not answer'));
    expect(await ask(service.url, '/healthz')).toMatchObject(ALIVE);
    proxy.cutAll();
    await until(async () => (await ask(service.url, '/readyz')).status === 200);
  });
});
