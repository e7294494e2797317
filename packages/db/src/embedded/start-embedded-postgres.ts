import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { runOnce } from '../run-once.ts';
import { type Cluster, createCluster, SUPERUSER } from './create-cluster.ts';
import { type LaunchedServer, launchServer, logTail, readPostmaster } from './postmaster.ts';
import { callProgram } from './server-program.ts';

export interface EmbeddedPostgresOptions {
  /** Made if it is missing. Holds the cluster, the generated password and the server's log. */
  dataDirectory: string;
  log?: (line: string) => void;
  /** Further settings of postgresql.conf, by name. */
  settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** Connection URL of the database `causeway`, with the superuser's password. */
  url: string;
  /** Stops the server, unless another process still uses it: then that one stops it. */
  stop(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // No statement, parameter or key may reach the log: they hold personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

const DATABASE = 'causeway';
/** The advisory lock that every user of the server holds, shared, for as long as it lives. */
const USERS_LOCK = 4_210_001;
const POLL_INTERVAL_MS = 10;
/** Recovery after a crash replays up to `max_wal_size`. */
const START_TIMEOUT_MS = 300_000;
const LAUNCHES = 3;

const urlOf = (cluster: Cluster, port: number, database: string): string =>
  `postgresql://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${database}`;

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount !== 0) return;
  await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: unknown) => {
    const madeMeanwhile = error instanceof pg.DatabaseError && ['42P04', '23505'].includes(error.code ?? '');
    if (!madeMeanwhile) throw error;
  });
}

interface Membership {
  client: pg.Client;
  port: number;
  lost: boolean;
}

/** Connects to the cluster's running server and counts as one of its users from then on; undefined if none answers. */
async function joinServer(cluster: Cluster): Promise<Membership | undefined> {
  const postmaster = readPostmaster(cluster);
  if (!postmaster?.alive || !(postmaster.port > 0)) return undefined;
  const client = new pg.Client({ connectionString: urlOf(cluster, postmaster.port, 'postgres'), keepAlive: true });
  const membership = { client, port: postmaster.port, lost: false };
  client.on('error', () => {
    membership.lost = true;
  });
  try {
    await client.connect();
    // Waits while the last user stops the server, and then fails with it.
    await client.query('SELECT pg_advisory_lock_shared($1)', [USERS_LOCK]);
    await ensureDatabase(client);
    return membership;
  } catch (error) {
    await client.end().catch(() => undefined);
    if (error instanceof pg.DatabaseError && error.code === '28P01') {
      throw new Error(`The password in ${cluster.dataDirectory} is not that of its database.`, { cause: error });
    }
    return undefined;
  }
}

async function stopServer(cluster: Cluster): Promise<void> {
  const call = callProgram('pg_ctl', ['stop', '-D', cluster.directory, '-m', 'fast', '-w', '-t', '60'], {
    directory: cluster.dataDirectory,
    user: cluster.user,
  });
  await promisify(execFile)(call.command, call.arguments, call.options).catch((error: unknown) => {
    if (readPostmaster(cluster)?.alive) throw error;
  });
}

async function leaveServer(cluster: Cluster, membership: Membership): Promise<void> {
  // The session may have been ended from outside; the server is still there to be stopped.
  const current = membership.lost ? await joinServer(cluster) : membership;
  if (current === undefined) return;
  await current.client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK]);
  const { rows } = await current.client.query('SELECT pg_try_advisory_lock($1) AS last', [USERS_LOCK]);
  if (rows[0]?.last === true) await stopServer(cluster);
  await current.client.end().catch(() => undefined);
}

/**
 * Runs the PostgreSQL server that npm brings on a data directory of its own: design 6. Made at the first start, it
 * listens on 127.0.0.1 on a free port and wants the generated password. A server that a killed process left behind, or
 * that another process started, is shared, never doubled: each user holds a lock in it, and the last one stops it.
 *
 * @returns when the server answers and the database `causeway` exists
 * @throws with the end of the server's log if it does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const settings = { ...SETTINGS, ...options.settings };
  const cluster = await createCluster({
    dataDirectory: options.dataDirectory,
    sync: options.settings?.fsync !== 'off',
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  let server: LaunchedServer | undefined;
  for (let launches = 0; Date.now() < deadline; await delay(POLL_INTERVAL_MS)) {
    const membership = await joinServer(cluster);
    if (membership !== undefined) {
      options.log?.(
        `PostgreSQL ${server === undefined ? 'is running already' : 'has started'} on port ${membership.port}`,
      );
      return { url: urlOf(cluster, membership.port, DATABASE), stop: runOnce(() => leaveServer(cluster, membership)) };
    }
    if (server?.exited === false || readPostmaster(cluster)?.alive) continue;
    if (launches === LAUNCHES) break;
    server = await launchServer(cluster, settings);
    launches += 1;
  }
  throw new Error(`PostgreSQL does not start in ${cluster.directory}:\n${logTail(cluster)}`);
}
