import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCluster } from '../src/create-cluster.ts';
import { type EmbeddedPostgres, type ServerWatch, startEmbeddedPostgres } from '../src/index.ts';
import { joinOrLaunch } from '../src/join-or-launch.ts';
import { joinServer } from '../src/membership.ts';

const FIXTURE = path.join(import.meta.dirname, 'fixtures', 'hold-server.ts');

let folder: string;
let dataDirectory: string;
let started: EmbeddedPostgres[];
let services: ChildProcess[];

let laid: string;
beforeAll(async () => {
  laid = await mkdtemp(path.join(tmpdir(), 'causeway-embedded-'));
  const { stop } = await startEmbeddedPostgres({ dataDirectory: laid, settings: { fsync: 'off' } });
  await stop();
});
afterAll(() => rm(laid, { recursive: true }));

/** As after a first start, copied: to create a cluster takes more of the processor than most of the tests. */
async function layCluster(): Promise<void> {
  await promisify(execFile)('cp', ['-a', laid, dataDirectory]);
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-embedded-'));
  dataDirectory = path.join(folder, 'data of a service');
  started = [];
  services = [];
});

afterEach(async () => {
  for (const service of services) service.kill('SIGKILL');
  for (const server of started) await server.stop();
  await rm(folder, { recursive: true });
});

/** Starts the server in this process; it is stopped after the test. */
async function start(watch?: ServerWatch): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDirectory, settings: { fsync: 'off' }, ...(watch && { watch }) });
  started.push(server);
  return server;
}

/** Starts it in a process of its own, which can be killed. */
async function startService(): Promise<{ service: ChildProcess; url: string }> {
  const service = spawn(process.execPath, [FIXTURE, dataDirectory], { stdio: ['ignore', 'pipe', 'inherit'] });
  services.push(service);
  const [line] = await once(service.stdout, 'data');
  return { service, url: String(line).trim() };
}

async function end(service: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(service, 'exit');
  service.kill(signal);
  await exited;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

const isAnswering = (url: string): Promise<boolean> =>
  query(url, 'SELECT 1').then(
    () => true,
    () => false,
  );

async function serverPid(): Promise<number> {
  return Number((await readFile(path.join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

test('16.3 15.3 starts on 127.0.0.1 alone, with a generated password that only its owner can read, and compares text byte by byte', async () => {
  const { url } = await start();
  const { hostname, password, pathname } = new URL(url);
  expect([hostname, pathname, password.length]).toEqual(['127.0.0.1', '/causeway', 43]);
  expect((await stat(path.join(dataDirectory, 'postgres-password'))).mode & 0o777).toBe(0o600);
  const [row] = await query(
    url,
    `SELECT current_setting('listen_addresses') AS addresses,
    current_setting('unix_socket_directories') AS sockets, current_setting('server_encoding') AS encoding,
    (SELECT string_agg(t, ' ' ORDER BY t) FROM unnest(ARRAY['b', 'a', 'é', 'B']) t) AS sorted`,
  );
  expect(row).toEqual({ addresses: '127.0.0.1', sockets: '', encoding: 'UTF8', sorted: 'B a b é' });
  const withoutPassword = new URL(url);
  withoutPassword.password = 'wrong';
  await expect(query(withoutPassword.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
});

test('16.3 takes over the server that a killed service left behind, and stops it', async () => {
  await layCluster();
  const { service, url } = await startService();
  await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  const pid = await serverPid();
  await end(service, 'SIGKILL');
  const server = await start();
  expect(await serverPid()).toBe(pid);
  expect(await query(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  await server.stop();
  expect(await isAnswering(url)).toBe(false);
});

test('16.3 starts again on the port of the last time, where those who share the database look for it', async () => {
  await layCluster();
  const first = await start();
  await first.stop();
  const second = await start();
  expect(second.url).toBe(first.url);
  await second.stop();
  const taken = createServer();
  await once(taken.listen(Number(new URL(first.url).port), '127.0.0.1'), 'listening');
  const third = await start();
  expect(third.url).not.toBe(first.url);
  expect(await isAnswering(third.url)).toBe(true);
  await new Promise((resolve) => taken.close(resolve));
});

test('16.3 recovers a database whose server and service were both killed', async () => {
  await layCluster();
  const { service, url } = await startService();
  await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(await serverPid(), 'SIGKILL');
  await end(service, 'SIGKILL');
  const server = await start();
  expect(await query(server.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('16.3 starts where another process now has the number of a server that was killed', async () => {
  await layCluster();
  const bystander = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 60_000)']);
  services.push(bystander);
  const lockFile = path.join(dataDirectory, 'postgres', 'postmaster.pid');
  await writeFile(lockFile, `${bystander.pid}\n${path.dirname(lockFile)}\n0\n5432\n\n127.0.0.1\n 0 0\nready\n`);
  const { url } = await start();
  expect(await isAnswering(url)).toBe(true);
});

test('16.3 joins no other server that has taken the port on which its own is about to start', async () => {
  await layCluster();
  const other = await start();
  // With the same password, as a directory that was copied.
  dataDirectory = path.join(folder, 'copy');
  await layCluster();
  const cluster = await createCluster({ dataDirectory, sync: false });
  const starting = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 60_000)'], {
    cwd: cluster.directory,
  });
  services.push(starting);
  await once(starting, 'spawn');
  const { port } = new URL(other.url);
  const lines = [starting.pid, cluster.directory, 0, port, '', '127.0.0.1', ' 0 0', 'starting'];
  await writeFile(path.join(cluster.directory, 'postmaster.pid'), `${lines.join('\n')}\n`);
  expect(await joinServer(cluster)).toBeUndefined();
});

test('16.3 gives services started at once on an empty directory one server, and the last one stops it', async () => {
  const [one, two, own] = await Promise.all([startService(), startService(), start()]);
  expect(new Set([one.url, two.url, own.url]).size).toBe(1);
  await end(one.service, 'SIGTERM');
  await own.stop();
  expect(await isAnswering(two.url)).toBe(true);
  await end(two.service, 'SIGTERM');
  expect(await isAnswering(two.url)).toBe(false);
});

test('16.3 removes what a killed first start left behind, and keeps what another start works on', async () => {
  const { service } = await startService();
  await end(service, 'SIGTERM');
  const token = '0123456789ab';
  const dead = `${service.pid}-${token}`;
  const ours = `${process.pid}-${token}`;
  const alive = `${process.ppid}-${token}`;
  for (const draft of [dead, ours, alive]) {
    await mkdir(path.join(dataDirectory, `postgres.${draft}`), { mode: 0o700 });
    await writeFile(path.join(dataDirectory, `postgres.${draft}`, 'PG_VERSION'), '18\n');
    await writeFile(path.join(dataDirectory, `postgres.${draft}.password`), 'a password', { mode: 0o600 });
    await writeFile(path.join(dataDirectory, `postgres-password.${draft}`), 'a password', { mode: 0o600 });
  }
  await start();
  const kept = [`postgres.${alive}`, `postgres.${alive}.password`, `postgres-password.${alive}`];
  expect((await readdir(dataDirectory)).toSorted()).toEqual(
    [...kept, 'postgres', 'postgres-password', 'postgres.log'].toSorted(),
  );
});

test('16.3 shows no password to others while a first start makes the database, and leaves none behind', async () => {
  const service = spawn(process.execPath, [FIXTURE, dataDirectory], { stdio: 'ignore' });
  services.push(service);
  const seen = new Map<string, number>();
  while (![...seen.keys()].some((name) => /^postgres\..*\.password$/.test(name))) {
    for (const name of await readdir(dataDirectory).catch(() => [])) {
      const file = await stat(path.join(dataDirectory, name)).catch(() => undefined);
      if (file?.isFile()) seen.set(name, file.mode & 0o077);
    }
  }
  await end(service, 'SIGKILL');
  expect([...seen.values()].filter((mode) => mode !== 0)).toEqual([]);
  await start();
  const drafts = (await readdir(dataDirectory)).filter((name) => /^postgres-password\.|\.password$/.test(name));
  expect(drafts).toEqual([]);
});

test('16.3 refuses a database whose password file is gone, and says which', async () => {
  await layCluster();
  await rm(path.join(dataDirectory, 'postgres-password'));
  await expect(start()).rejects.toThrow(/postgres-password is missing/);
});

test('16.3 says why the server does not start', async () => {
  await layCluster();
  const wrong = startEmbeddedPostgres({ dataDirectory, settings: { shared_buffers: 'plenty' } });
  await expect(wrong).rejects.toThrow(/does not start .*invalid value for parameter "shared_buffers": "plenty"/s);
});

test('16.3 a server that comes up and ends again is launched more and more slowly', async () => {
  await layCluster();
  const launchedAt: number[] = [];
  const launched = Promise.withResolvers<void>();
  const report = async (event: string) => {
    if (event === 'database_server_launched') launchedAt.push(Date.now());
    if (event === 'database_server_launched' && launchedAt.length === 5) launched.resolve();
    if (event === 'database_session_regained' && launchedAt.length < 5) process.kill(await serverPid(), 'SIGKILL');
  };
  await start({ report: (event) => void report(event), giveUp: launched.reject });
  launchedAt.length = 0;
  process.kill(await serverPid(), 'SIGKILL');
  await launched.promise;
  const pauses = launchedAt.slice(1).map((at, index) => at - (launchedAt[index] ?? 0));
  for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(250 * 2 ** index);
});

test('16.3 a server that has come up and ended fifty times is not launched again', async () => {
  await layCluster();
  const cluster = await createCluster({ dataDirectory, sync: false });
  const events: string[] = [];
  const plan = { settings: {}, attempts: 8, launched: undefined, report: (event: string) => events.push(event) };
  const joining = joinOrLaunch(cluster, { ...plan, launches: { count: 50, nextAt: 0 } });
  await expect(joining).rejects.toThrow(/ends again and again in .*database system is shut down/s);
  expect(events).toEqual([]);
});

test('16.3 a server that hangs, or that its last user stops, keeps nobody who would join it', async () => {
  await layCluster();
  const { url } = await start();
  const cluster = await createCluster({ dataDirectory, sync: false });
  const pid = await serverPid();
  process.kill(pid, 'SIGSTOP');
  try {
    expect(await joinServer(cluster)).toBeUndefined();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const last = new pg.Client({ connectionString: new URL('/postgres', url).href });
  await last.connect();
  await last.query('SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = $1', ['advisory']);
  await last.query('SELECT pg_advisory_lock(4210001)');
  expect(await joinServer(cluster)).toBeUndefined();
  await last.end();
});
