import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureServiceRole, openDatabase } from '@causeway/db';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@causeway/embedded-postgres';
import { canMountDisk, mountSmallDisk, type SmallDisk, TOKEN_SECRET } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import { type Service, startService } from '../../src/service.ts';
import { PROCESS, STAGE } from '../idempotency/marked-calls.ts';
import { obtainToken, startTestService, type TestService, trpcClient, until } from '../support/test-service.ts';

const UNAVAILABLE = { status: 503, body: { code: 'service_unavailable' } };

async function readiness(url: string) {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: (await response.json()) as { status: string; problems?: string[] } };
}

/** The one problem that the service says it has. */
async function hasProblem(url: string, problem: string): Promise<boolean> {
  const { status, body } = await readiness(url);
  return status === 503 && body.problems?.length === 1 && body.problems[0] === problem;
}

const isReady = async (url: string) => (await readiness(url)).status === 200;

describe('a database that is read-only', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  /** For every session from now on; those there are end. */
  async function setReadOnly(value: 'on' | 'off'): Promise<void> {
    const name = new URL(service.databaseUrl).pathname.slice(1);
    using client = await borrowConnection(service.database.pool);
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    await client.query(
      'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()',
      [name],
    );
    client.release(true);
  }

  test('16.5 makes the service unready, and every call that writes a 503, until it takes writes again', async () => {
    const supplier = await service.createSupplier();
    const number = await supplier.stage();
    // Has the token, which could not be issued while nothing is written.
    await service.staff.organisations.list.query({});
    expect(await readiness(service.url)).toEqual({ status: 200, body: { status: 'ready' } });
    await setReadOnly('on');
    await until(() => hasProblem(service.url, 'the database is read-only'));
    const processed = await supplier.post(PROCESS, supplier.processRequest(number));
    expect(processed).toMatchObject(UNAVAILABLE);
    expect(processed.headers.get('retry-after')).toBe('5');
    expect(await supplier.post(STAGE, supplier.account())).toMatchObject(UNAVAILABLE);
    const created = service.staff.organisations.create.mutate({ name: 'Not now' });
    await expect(created).rejects.toMatchObject({ data: { httpStatus: 503, error: { code: 'service_unavailable' } } });

    await setReadOnly('off');
    await until(() => isReady(service.url));
    const [row] = await service.database.prisma.accountImport.findMany({ where: { external_account_number: number } });
    expect(row).toMatchObject({ state: 'STAGED', attempts: 0, last_error: null });
    // The service meets the end of each session that was ended.
    await until(async () => (await supplier.post(PROCESS, supplier.processRequest(number))).status === 201);
  });
});

describe('a database that was made a standby', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let service: Service | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
    postgres = await startEmbeddedPostgres({ dataDirectory: folder, settings: { fsync: 'off' } });
  });
  afterAll(async () => {
    await service?.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('16.5 makes the service unready until it is promoted', async () => {
    const STAFF_API_KEY = 'a staff key of 32 characters or more';
    const variables = { DATABASE_URL: postgres.url, TOKEN_SECRET, PORT: '0', LOG_LEVEL: 'silent', STAFF_API_KEY };
    service = await startService(readEnvironment(variables));
    const { url } = service;
    const staff = trpcClient(url, await obtainToken(url, STAFF_API_KEY));
    await postgres.stop();
    await writeFile(path.join(folder, 'postgres', 'standby.signal'), '');
    postgres = await startEmbeddedPostgres({ dataDirectory: folder, settings: { fsync: 'off' } });
    await until(() => hasProblem(url, 'the database is a standby and takes no writes'));
    const created = staff.organisations.create.mutate({ name: 'Promoted' });
    await expect(created).rejects.toMatchObject({ data: { httpStatus: 503 } });

    const { pool, close } = openDatabase({ url: postgres.url, poolSize: 1 });
    await pool.query('SELECT pg_promote()');
    await close();
    await until(() => isReady(url));
    expect(await staff.organisations.create.mutate({ name: 'Promoted' })).toMatchObject({ name: 'Promoted' });
  });
});

describe('a primary without its synchronous standby', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let service: Service;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
    postgres = await startEmbeddedPostgres({ dataDirectory: folder, settings: { fsync: 'off' } });
  });
  afterAll(async () => {
    await service.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('16.5.3 makes the service unready once a commit waits, and ready when it has ended', async () => {
    const STAFF_API_KEY = 'a staff key of 32 characters or more';
    // A role of its own sees no more of the standbys than in production.
    const DATABASE_URL = await ensureServiceRole(postgres.url, 'password of the service');
    const variables = { DATABASE_URL, DATABASE_OWNER_URL: postgres.url, TOKEN_SECRET, STAFF_API_KEY };
    service = await startService(readEnvironment({ ...variables, PORT: '0', LOG_LEVEL: 'silent' }));
    const { url } = service;
    const staff = trpcClient(url, await obtainToken(url, STAFF_API_KEY));
    const { pool, close } = openDatabase({ url: postgres.url, poolSize: 1 });
    await pool.query(`ALTER SYSTEM SET synchronous_standby_names = 'away'`);
    await pool.query('SELECT pg_reload_conf()');
    const named = `SELECT FROM pg_settings WHERE name = 'synchronous_standby_names' AND setting = 'away'`;
    await until(async () => (await pool.query(named)).rowCount === 1);
    const created = staff.organisations.create.mutate({ name: 'Patient' });
    await until(() => hasProblem(url, 'commits wait for a synchronous standby for more than 5 seconds'));
    await pool.query('ALTER SYSTEM RESET synchronous_standby_names');
    await pool.query('SELECT pg_reload_conf()');
    await close();
    expect(await created).toMatchObject({ name: 'Patient' });
    await until(() => isReady(url));
  });
});

describe.skipIf(!canMountDisk())('a database whose disk is full', () => {
  const tablespace = `small_${process.pid}_${Date.now()}`;
  let service: TestService;
  let disk: SmallDisk;
  const onServer = async (text: string) => {
    const { pool, close } = openDatabase({ url: inject('testServer').url, poolSize: 1 });
    return pool.query(text).finally(close);
  };
  beforeAll(async () => {
    disk = mountSmallDisk();
    service = await startTestService();
    const { rows } = await onServer('SHOW data_directory');
    await onServer(`CREATE TABLESPACE ${tablespace} LOCATION '${await disk.tablespaceFolder(rows[0].data_directory)}'`);
    await service.database.pool.query(`ALTER TABLE account_imports SET TABLESPACE ${tablespace}`);
  });
  afterAll(async () => {
    await service.stop();
    await onServer(`DROP TABLESPACE ${tablespace}`);
    disk.unmount();
  });

  test('16.5 answers 503 to every call that finds no room, and 201 when there is room again', async () => {
    const supplier = await service.createSupplier();
    disk.fill();
    const accounts = Array.from({ length: 5 }, () => supplier.account());
    const stageAll = () => Promise.all(accounts.map((account) => supplier.post(STAGE, account)));
    for (const answer of await stageAll()) {
      expect(answer).toMatchObject(UNAVAILABLE);
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    expect(await service.database.prisma.accountImport.count()).toBe(0);
    await disk.empty();
    for (const answer of await stageAll()) expect(answer).toMatchObject({ status: 201 });
  });
});
