import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';

/** A PgBouncer in front of a database's server. */
export interface PgBouncer {
  /** The same database through PgBouncer. */
  url: string;
  /** Runs a command of its console, such as RECONNECT. */
  command(text: string): Promise<void>;
  /** The rows of a query that runs as often at once, each in a session of its own, without setting anything there. */
  inSessions(count: number, text: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

const PROGRAM = ['/usr/local/bin/pgbouncer', '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) =>
  existsSync(file),
);
const NOBODY = 65_534;

/** Tests that need PgBouncer are skipped if it is not installed: npm has no package for it. */
export const hasPgBouncer = PROGRAM !== undefined;

/** Such as `1.24.1`; empty if it is not installed. */
export const PGBOUNCER_VERSION =
  PROGRAM === undefined ? '' : (spawnSync(PROGRAM, ['-V'], { encoding: 'utf8' }).stdout.match(/[\d.]+/)?.[0] ?? '');

const knowsStatements = Number(PGBOUNCER_VERSION.split('.')[1]) >= 21;
/** In transaction mode: what makes it keep the statements of its clients, or lose them. 1.21 was the first that could. */
export const KEEP_STATEMENTS = knowsStatements ? { max_prepared_statements: '200' } : undefined;
export const LOSE_STATEMENTS: Record<string, string> = knowsStatements ? { max_prepared_statements: '0' } : {};

/** @param settings of the section `[pgbouncer]`, such as `pool_mode` */
export async function startPgBouncer(databaseUrl: string, settings: Record<string, string>): Promise<PgBouncer> {
  if (PROGRAM === undefined) throw new Error('PgBouncer is not installed.');
  const { hostname, port, username, password } = new URL(databaseUrl);
  const folder = await mkdtemp(path.join(tmpdir(), `causeway-pgbouncer-${process.pid}-`));
  const url = new URL(databaseUrl);
  url.port = String(await freePort());
  const own = { listen_addr: '127.0.0.1', listen_port: url.port, unix_socket_dir: '', auth_type: 'plain' };
  const lines = Object.entries({ ...own, admin_users: username, auth_file: path.join(folder, 'users'), ...settings });
  const configuration = ['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]'];
  configuration.push(...lines.map(([name, value]) => `${name} = ${value}`));
  await writeFile(path.join(folder, 'users'), `"${username}" "${password}"\n`);
  await writeFile(path.join(folder, 'pgbouncer.ini'), `${configuration.join('\n')}\n`);
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chmod(folder, 0o755);
  const child = spawn(PROGRAM, [path.join(folder, 'pgbouncer.ini')], {
    ...{ cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject).once('exit', () => reject(new Error(`PgBouncer does not start:\n${log}`)));
    child.stderr?.on('data', (text) => {
      log += text;
      if (/process up/.test(log)) resolve();
    });
  });
  return {
    url: url.href,
    async command(text) {
      const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: 'pgbouncer' }).href });
      await client.connect();
      await client.query(text);
      await client.end();
    },
    async inSessions(count, text) {
      const pool = new pg.Pool({ connectionString: url.href, max: count });
      const results = await Promise.all(Array.from({ length: count }, () => pool.query(text)));
      await pool.end();
      return results.flatMap(({ rows }) => rows);
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, '127.0.0.1'), 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
