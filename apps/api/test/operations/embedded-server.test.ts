import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '@causeway/db';
import { layCluster, type ServiceProcess, startServiceProcess } from '@causeway/testing';
import { test as base, describe, expect } from 'vitest';
import { obtainToken, trpcClient, until } from '../support/test-service.ts';

const STAFF_API_KEY = 'a staff key of 32 characters or more';
const LIST = '/v1/data-import/imported-account-import-processes/SUPPLIER/';

/** A data directory with the services that a test starts on it, and what stands in it of their database. */
class Site {
  readonly services: ServiceProcess[] = [];
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async start(): Promise<ServiceProcess> {
    const service = await startServiceProcess({ DATA_DIR: this.directory, STAFF_API_KEY });
    this.services.push(service);
    return service;
  }

  /** The lines that a running server keeps of itself: its process id first, its port fourth. */
  async pidFile(): Promise<string[]> {
    return (await readFile(path.join(this.directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  }

  async serverPid(): Promise<number> {
    return Number((await this.pidFile())[0]);
  }

  async killServer(): Promise<void> {
    process.kill(await this.serverPid(), 'SIGKILL');
  }

  /** Runs a statement on the embedded server, as its superuser. */
  async query(text: string): Promise<Record<string, unknown>[]> {
    const [, , , port] = await this.pidFile();
    const password = await readFile(path.join(this.directory, 'postgres-password'), 'utf8');
    const url = `postgresql://causeway:${password}@127.0.0.1:${port}/causeway`;
    const { pool, close } = openDatabase({ url, poolSize: 1 });
    try {
      return (await pool.query(text)).rows;
    } finally {
      await close();
    }
  }

  /** How many sessions say that a service uses the server. */
  async users(): Promise<number> {
    const locks = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted`;
    return this.query(locks).then(
      (rows) => rows.length,
      () => 0,
    );
  }

  /** While its control file is away, no server can start on the data; `putBack` ends that. */
  async hideControlFile(): Promise<{ putBack(): Promise<void> }> {
    const file = path.join(this.directory, 'postgres', 'global', 'pg_control');
    await rename(file, `${file}.hidden`);
    return { putBack: () => rename(`${file}.hidden`, file) };
  }

  async clear(): Promise<void> {
    await Promise.all(this.services.map((service) => service.terminate()));
    // Where a test failed, nobody else ends it.
    await this.killServer().catch(() => undefined);
    await rm(this.directory, { recursive: true, force: true });
  }
}

const test = base.extend<{ site: Site }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs
  site: async ({}, use) => {
    const directory = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
    await layCluster(directory);
    const site = new Site(directory);
    await use(site);
    await site.clear();
  },
});

async function staffOf({ url }: ServiceProcess) {
  return trpcClient(url, await obtainToken(url, STAFF_API_KEY));
}

async function ask(url: string, address: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${address}`, { headers });
  return { status: response.status, body: await response.json(), retryAfter: response.headers.get('retry-after') };
}

const isReady = async ({ url }: ServiceProcess) => (await ask(url, '/readyz')).status === 200;

function logged({ logLines }: ServiceProcess, message: string): Record<string, unknown>[] {
  return logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message);
}

describe.concurrent('the embedded database server', () => {
  test('16.3 the embedded database is launched again when it was killed, and the service answers 503 until it is back', async ({
    site,
  }) => {
    const service = await site.start();
    const staff = await staffOf(service);
    await staff.organisations.create.mutate({ name: 'Kept' });
    const token = await obtainToken(service.url, STAFF_API_KEY);
    const control = await site.hideControlFile();
    const pid = await site.serverPid();
    process.kill(pid, 'SIGKILL');

    await until(async () => !(await isReady(service)));
    expect(await ask(service.url, '/readyz')).toMatchObject({ status: 503, body: { status: 'not_ready' } });
    expect(await ask(service.url, '/healthz')).toMatchObject({ status: 200 });
    expect(await ask(service.url, LIST, { Authorization: token })).toMatchObject({
      ...{ status: 503, body: { code: 'service_unavailable' }, retryAfter: '5' },
    });

    await control.putBack();
    await until(() => isReady(service));
    expect(await site.serverPid()).not.toBe(pid);
    expect(await staff.organisations.list.query({})).toMatchObject([{ name: 'Kept' }]);

    await until(() => logged(service, 'database_session_regained').length > 0);
    const [ended] = logged(service, 'database_server_ended');
    expect(ended).toMatchObject({ exit_code: null, signal: 'SIGKILL', log_tail: expect.any(Array) });
    const ports = logged(service, 'database_server_launched').map(({ port }) => port);
    expect(ports.length).toBeGreaterThan(1);
    expect(new Set(ports).size).toBe(1);
  });

  test('16.3 a service whose database cannot be brought back says why and ends with 1', async ({ site }) => {
    const service = await site.start();
    await site.hideControlFile();
    await site.killServer();
    expect(await service.ended()).toBe(1);
    expect(service.errorLines.join('\n')).toMatch(/PostgreSQL does not start in .*could not find the database system/s);
    expect(logged(service, 'database_server_given_up')).toMatchObject([{ level: 'fatal' }]);
    expect(logged(service, 'database_server_ended').length).toBeGreaterThan(5);
  });

  test('16.3 a service that is stopped while its database is away ends with 0, and leaves no server behind', async ({
    site,
  }) => {
    const service = await site.start();
    const control = await site.hideControlFile();
    await site.killServer();
    await until(async () => !(await isReady(service)));
    expect(await service.terminate()).toBe(0);
    await control.putBack();
    await expect(site.query('SELECT')).rejects.toThrow('ECONNREFUSED');
  });

  test('16.3 services that share a database are still counted after one of its sessions crashed', async ({ site }) => {
    const [first, second] = [await site.start(), await site.start()];
    expect(await site.users()).toBe(2);
    const [backend] = await site.query(
      'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL',
    );
    // PostgreSQL then ends all sessions and starts afresh, since shared memory may be damaged.
    process.kill(Number(backend?.pid), 'SIGKILL');
    await until(async () => (await site.users()) === 2);
    expect(await first.terminate()).toBe(0);
    await until(() => isReady(second));
    expect(await site.users()).toBe(1);
    expect(logged(second, 'database_server_ended')).toEqual([]);
  });

  test('16.3 a service that shares the database of another brings it back when both were killed', async ({ site }) => {
    const [first, second] = [await site.start(), await site.start()];
    const staff = await staffOf(second);
    await staff.organisations.create.mutate({ name: 'Kept' });
    const pid = await site.serverPid();
    await first.kill();
    process.kill(pid, 'SIGKILL');
    await until(async () => (await site.users()) === 1);
    expect(await site.serverPid()).not.toBe(pid);
    await until(() => isReady(second));
    expect(await staff.organisations.list.query({})).toMatchObject([{ name: 'Kept' }]);
    // One that starts now finds the same server.
    const third = await site.start();
    expect(await site.users()).toBe(2);
    expect(await (await staffOf(third)).organisations.list.query({})).toHaveLength(1);
  });

  test('16.3 services that both miss their database bring back one, at the address that both know', async ({
    site,
  }) => {
    const [first, second] = [await site.start(), await site.start()];
    await site.killServer();
    await until(async () => (await site.users()) === 2);
    await until(async () => (await isReady(first)) && (await isReady(second)));
    expect(await first.terminate()).toBe(0);
    expect(await isReady(second)).toBe(true);
  });

  test('16.3 a service that starts while another waits for the database launches it where that one waits', async ({
    site,
  }) => {
    const first = await site.start();
    const control = await site.hideControlFile();
    await site.killServer();
    await until(async () => !(await isReady(first)));
    await rm(path.join(site.directory, 'postgres', 'postmaster.pid'), { force: true });
    await control.putBack();
    const second = await site.start();
    await until(async () => (await isReady(first)) && (await isReady(second)));
    expect(await site.users()).toBe(2);
  });

  test.for(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
    '16.6 %s stops the service and its database',
    async (signal, { site }) => {
      const service = await site.start();
      expect(await service.terminate(signal)).toBe(0);
      expect(existsSync(path.join(site.directory, 'postgres', 'postmaster.pid'))).toBe(false);
    },
  );
});
