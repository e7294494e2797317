import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { timeUntil } from './gate.ts';

/** A PgBouncer before a database server, in transaction mode. */
export interface PgBouncer extends AsyncDisposable {
  /** Of the same database, through it. */
  url: string;
  readonly log: string;
}

export interface PgBouncerOptions {
  /** The server's URL. */
  url: string;
  /** Lets pass what a client asks for at its start and PgBouncer does not know, without doing it. */
  ignoresUnknownParameters: boolean;
}

/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;
const IGNORED = 'extra_float_digits,options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';
const STARTED_WITHIN_MS = 10_000;

/** Such as `1.18.0`; undefined where there is none to run. */
export function pgBouncerVersion(): string | undefined {
  return /PgBouncer (\S+)/.exec(spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
}

const PROGRAM = 'pgbouncer';

export async function startPgBouncer({ url, ignoresUnknownParameters }: PgBouncerOptions): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password, pathname } = new URL(url);
  const directory = await mkdtemp(path.join(tmpdir(), 'causeway-pgbouncer-'));
  await chmod(directory, 0o755);
  const port = await freePort();
  const users = path.join(directory, 'users.txt');
  const settings = path.join(directory, 'pgbouncer.ini');
  await writeFile(users, `"${username}" "${password}"\n`);
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = scram-sha-256', `auth_file = ${users}`],
    ...['pool_mode = transaction', 'max_client_conn = 1000', 'default_pool_size = 20'],
    ...(ignoresUnknownParameters ? [`ignore_startup_parameters = ${IGNORED}`] : []),
  ];
  await writeFile(settings, `${lines.join('\n')}\n`);
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(PROGRAM, [settings], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const exit = new Promise((resolve) => child.once('close', resolve));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  const startedMs = await timeUntil(() => child.exitCode !== null || isListening(port), STARTED_WITHIN_MS);
  if (child.exitCode !== null || !Number.isFinite(startedMs)) throw new Error(`PgBouncer does not start:\n${log}`);
  return {
    url: `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}`,
    get log() {
      return log;
    },
    async [Symbol.asyncDispose]() {
      killWithUs();
      process.off('exit', killWithUs);
      await exit;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
