import { createTestDatabase, type ServiceProcess, startServiceProcess } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/test-service.ts';

const STAFF_API_KEY = 'the staff key of these tests: 0123456789';
const TOKEN_SECRET = 'the token secret of these tests: 0123456789';
const VENDOR_SECRET = 'the-vendor-secret-of-these-tests';
/** A process that throws where nobody catches, and warns, when it is told to. */
const FAILING = `data:text/javascript,${encodeURIComponent(`
  process.once('SIGUSR2', () => {
    process.emitWarning('planted');
    setImmediate(() => { throw new Error('lost "' + ['CAN', 'ARY'].join('') + '"'); });
  });
`)}`;

const database = await createTestDatabase();
afterAll(() => database.drop());

const start = (variables: Record<string, string> = {}) =>
  startServiceProcess({ DATABASE_URL: database.url, STAFF_API_KEY, TOKEN_SECRET, ...variables });

/** Its log, of which every line has to be JSON. */
const linesOf = ({ logLines }: ServiceProcess) => logLines.map((line) => JSON.parse(line) as Record<string, unknown>);

const ask = (url: string) => fetch(url, { headers: { Connection: 'close' } });
const statusOf = async (url: string) => (await ask(url)).status;

test('16.6.4 is not ready after SIGTERM, serves on for SHUTDOWN_DELAY_MS, and a second signal ends that time', async () => {
  const service = await start({ SHUTDOWN_DELAY_MS: '600000' });
  expect(await statusOf(`${service.url}/readyz`)).toBe(200);
  const ended = service.terminate();
  await until(async () => (await statusOf(`${service.url}/readyz`)) === 503);
  expect(await (await ask(`${service.url}/readyz`)).json()).toMatchObject({ problems: ['the service is stopping'] });
  expect(await statusOf(`${service.url}/healthz`)).toBe(200);
  expect(await statusOf(`${service.url}/v1/data-import/account-import-processes/`)).toBe(401);
  expect(service.exited).toBe(false);
  void service.terminate('SIGINT');
  expect(await ended).toBe(0);
});

test('16.6.4 stops by itself when SHUTDOWN_DELAY_MS is over', async () => {
  const service = await start({ SHUTDOWN_DELAY_MS: '1' });
  await statusOf(`${service.url}/healthz`);
  expect(await service.terminate()).toBe(0);
  expect(linesOf(service)).toContainEqual(expect.objectContaining({ msg: 'service_stopping', delay_ms: 1 }));
});

test('16.8.4 logs what has started, and why and how fast it stopped, without a secret', async () => {
  const vendors = [{ name: 'CARDS', kind: 'http', base_url: 'http://127.0.0.1:1', secret: VENDOR_SECRET }];
  const service = await start({ PAYMENT_VENDORS: JSON.stringify(vendors), DATABASE_OWNER_URL: database.ownerUrl });
  await statusOf(`${service.url}/healthz`);
  await service.terminate();
  const { host, pathname, password } = new URL(database.url);
  const [{ newest, applied }] = (
    await database.owner.pool.query(
      'SELECT max(migration_name) AS newest, count(*)::int AS applied FROM _prisma_migrations',
    )
  ).rows as [{ newest: string; applied: number }];
  const [started] = linesOf(service).filter(({ msg }) => msg === 'service_started');
  expect(started).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    commit: expect.any(String),
    node: process.versions.node,
    postgresql: expect.stringMatching(/^\d+/),
    migrations: { newest, applied },
    duration_ms: expect.any(Number),
    settings: {
      ...{ DATABASE_URL: `${host}${pathname}`, DATABASE_OWNER_URL: `${host}${pathname}`, MAX_BODY_BYTES: 10_485_760 },
      ...{ STAFF_API_KEY: 'set', TOKEN_SECRET: 'set', PAYMENT_VENDORS: ['CARDS (http)'], SHUTDOWN_DELAY_MS: 0 },
    },
  });
  expect(linesOf(service).at(-1)).toMatchObject({
    ...{ msg: 'service_stopped', reason: 'SIGTERM', duration_ms: expect.any(Number) },
  });
  const log = service.logLines.join('\n');
  for (const secret of [STAFF_API_KEY, TOKEN_SECRET, VENDOR_SECRET, password]) expect(log).not.toContain(secret);
});

test('16.8.5 logs an exception that nobody caught, as JSON and without what it quotes, and exits with 1', async () => {
  const service = await start({ NODE_OPTIONS: `--import=${FAILING}` });
  await statusOf(`${service.url}/healthz`);
  process.kill(service.pid, 'SIGUSR2');
  expect(await service.ended()).toBe(1);
  expect(linesOf(service).at(-1)).toMatchObject({
    level: 'fatal',
    msg: 'uncaught_exception',
    error: { type: 'Error' },
  });
  expect(service.logLines.join('\n')).not.toContain('CANARY');
  expect(service.errorLines.join('\n')).toContain('Warning: planted');
});
