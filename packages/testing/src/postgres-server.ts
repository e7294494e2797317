import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { callProgram, type ServerProgram, serverUser } from '@causeway/embedded-postgres';
import pg from 'pg';

/** A PostgreSQL server as an operator sets it up: of any version, with any settings and files, or a copy of another. */
export interface PostgresServer {
  /** Of the database `postgres`, as the superuser. */
  readonly url: string;
  readonly port: number;
  readonly cluster: string;
  start(): Promise<void>;
  /** SIGINT is a fast shutdown, SIGQUIT an immediate one, SIGKILL a machine that is gone. */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  query<Row extends object>(text: string, more?: QueryOptions): Promise<Row[]>;
  /** A file of the cluster; only its owner reads it. */
  write(name: string, text: string): Promise<void>;
  /** Gives a folder to the user that the server runs as. */
  openFolder(name: string): Promise<void>;
  /**
   * What pg_basebackup does, which npm's package lacks: a copy of the files, from which a server can start; by default
   * on a free port.
   */
  copy(at?: { port?: number }): Promise<PostgresServer>;
  remove(): Promise<void>;
}

interface QueryOptions {
  values?: unknown[];
  /** `postgres` unless given. */
  database?: string;
}

export interface PostgresServerOptions {
  /** The folder of initdb and postgres; by default those of the embedded server. */
  programs?: string;
  settings?: Readonly<Record<string, string>>;
}

interface Place extends PostgresServerOptions {
  folder: string;
  cluster: string;
  port: number;
}

const PASSWORD = 'password-of-a-test';
const POLL_INTERVAL_MS = 20;
const SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200' };

/** Creates a cluster in a temporary folder; nothing runs yet. */
export async function createPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const place = await placeFor(options);
  const passwordFile = path.join(place.folder, 'password');
  await writeFile(passwordFile, PASSWORD);
  const access = ['--username=causeway', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-sync'];
  const call = programOf(place, 'initdb', [`--pgdata=${place.cluster}`, '--encoding=UTF8', '--locale=C', ...access]);
  await promisify(execFile)(call.command, call.arguments, call.options);
  return serverAt(place);
}

async function placeFor(options: PostgresServerOptions): Promise<Place> {
  const folder = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
  const cluster = path.join(folder, 'cluster');
  await chmod(folder, 0o755);
  await mkdir(cluster, { mode: 0o700 });
  await giveAway(cluster);
  return { ...options, folder, cluster, port: await freePort() };
}

/** To the user that the server runs as, if this process is root. */
async function giveAway(file: string): Promise<void> {
  const user = serverUser('/');
  if (user !== undefined) await chown(file, user.uid, user.gid);
}

function programOf({ cluster, folder, programs }: Place, program: ServerProgram, options: string[]) {
  return callProgram(program, options, { directory: folder, user: serverUser(cluster), programs });
}

const urlOf = ({ port }: Place) => `postgresql://causeway:${PASSWORD}@127.0.0.1:${port}/postgres`;

async function query<Row extends object>(url: string, text: string, more: QueryOptions = {}): Promise<Row[]> {
  const { values = [], database = 'postgres' } = more;
  const client = new pg.Client({
    connectionString: url.replace(/postgres$/, database),
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function serverAt(place: Place): PostgresServer {
  const { cluster, port, folder } = place;
  const url = urlOf(place);
  let running: ChildProcess | undefined;
  const server: PostgresServer = {
    ...{ url, port, cluster },
    query: (text, more) => query(url, text, more),
    openFolder: (name) => giveAway(path.join(cluster, name)),
    async start() {
      running = await launch(place);
    },
    async end(signal) {
      const child = running;
      running = undefined;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
    write: (name, text) => writeFor(place, name, text),
    copy: (at) => copyOf(place, at),
    async remove() {
      await server.end('SIGKILL');
      // Its other processes notice a moment later, and may still write.
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  return server;
}

/** Resolves when the server answers. */
async function launch(place: Place): Promise<ChildProcess> {
  const settings = Object.entries({ ...SETTINGS, port: String(place.port), ...place.settings });
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const call = programOf(place, 'postgres', ['-D', place.cluster, ...flags]);
  const child = spawn(call.command, call.arguments, { ...call.options, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr?.on('data', (text) => {
    log = `${log}${text}`.slice(-5_000);
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const answers = () => query(urlOf(place), 'SELECT 1').then(Boolean, () => false);
  while (!(await answers())) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL does not start:\n${log}`);
    await delay(POLL_INTERVAL_MS);
  }
  return child;
}

async function writeFor(place: Place, name: string, text: string): Promise<void> {
  const file = path.join(place.cluster, name);
  await writeFile(file, text, { mode: 0o600 });
  await giveAway(file);
}

async function copyOf(source: Place, at: { port?: number } = {}): Promise<PostgresServer> {
  const place = { ...(await placeFor(source)), ...at };
  const client = new pg.Client({ connectionString: urlOf(source) });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('copy', fast => true)`);
    await copyFiles(source.cluster, place.cluster);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await rm(path.join(place.cluster, 'postmaster.pid'), { force: true });
    await writeFor(place, 'backup_label', rows[0]?.labelfile ?? '');
    return serverAt(place);
  } finally {
    await client.end();
  }
}

/** With their owner. That a file vanishes meanwhile is no error: what happens to it is in the write-ahead log. */
async function copyFiles(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to]).catch((error: { stderr?: string }) => {
    const lines = (error.stderr ?? '').trim().split('\n');
    if (!lines.every((line) => line.includes('No such file or directory'))) throw error;
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, '127.0.0.1'), 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
