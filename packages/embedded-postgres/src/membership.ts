import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Cluster, SUPERUSER } from './create-cluster.ts';
import { type LaunchedServer, readPostmaster } from './postmaster.ts';
import { callProgram } from './server-program.ts';

/** A session that counts its process among the server's users for as long as it lives. */
export interface Membership {
  client: pg.Client;
  port: number;
  lost: boolean;
  /** Resolves when the session is over, by whatever means. */
  ended: Promise<void>;
}

export const DATABASE = 'causeway';
/** The advisory lock that every user of the server holds, shared, for as long as it lives. */
const USERS_LOCK = 4_210_001;
const POLL_INTERVAL_MS = 10;
/** A server that takes a connection and says nothing more is no more there than one that takes none. */
const ANSWER_TIMEOUT_MS = 5_000;
/** How long to wait among the server's users: while the last one stops it, those who come try again. */
const USERS_LOCK_TIMEOUT_MS = 2_000;
/** How long a server that restarts its sessions may keep somebody who wants to leave it. */
const LEAVE_PATIENCE_MS = 2_000;

/** Where a database of the cluster's server is reached, with the superuser's password. */
export function urlOf(cluster: Cluster, port: number, database: string): string {
  return `postgresql://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount !== 0) return;
  await client.query(`CREATE DATABASE ${DATABASE}`).catch((error: unknown) => {
    const madeMeanwhile = error instanceof pg.DatabaseError && ['42P04', '23505'].includes(error.code ?? '');
    if (!madeMeanwhile) throw error;
  });
}

/**
 * Connects to the cluster's running server and counts as one of its users from then on; undefined if none answers,
 * within seconds also where a server hangs.
 */
export async function joinServer(cluster: Cluster): Promise<Membership | undefined> {
  const postmaster = readPostmaster(cluster);
  if (!postmaster?.alive || !(postmaster.port > 0)) return undefined;
  const client = new pg.Client({
    connectionString: urlOf(cluster, postmaster.port, 'postgres'),
    keepAlive: true,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    lock_timeout: USERS_LOCK_TIMEOUT_MS,
  });
  const ended = Promise.withResolvers<void>();
  const membership = { client, port: postmaster.port, lost: false, ended: ended.promise };
  client.on('error', () => undefined);
  client.once('end', () => {
    membership.lost = true;
    ended.resolve();
  });
  try {
    await client.connect();
    // Fails while the last user stops the server, and with it.
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

/** The session, or a new one where it was ended from outside: the server may be up, or on its way up, without it. */
async function currentMembership(cluster: Cluster, membership: Membership): Promise<Membership | undefined> {
  if (!membership.lost) return membership;
  const deadline = Date.now() + LEAVE_PATIENCE_MS;
  for (;;) {
    const joined = await joinServer(cluster);
    if (joined !== undefined || !readPostmaster(cluster)?.alive || Date.now() > deadline) return joined;
    await delay(POLL_INTERVAL_MS);
  }
}

/**
 * Ends the membership, and with the last one the server. One that answers nobody is stopped by the process that
 * launched it. Another's that still recovers from a crash is left behind, as by a service that is killed: the next
 * start takes it over. To wait for it would keep a service that was asked to end for longer than those who ask are
 * patient.
 */
export async function leaveServer(
  cluster: Cluster,
  membership: Membership,
  launched: LaunchedServer | undefined,
): Promise<void> {
  const current = await currentMembership(cluster, membership);
  if (current === undefined) {
    if (launched !== undefined && launched.exit === undefined) await stopServer(cluster);
    return;
  }
  try {
    await current.client.query('SELECT pg_advisory_unlock_shared($1)', [USERS_LOCK]);
    const { rows } = await current.client.query('SELECT pg_try_advisory_lock($1) AS last', [USERS_LOCK]);
    if (rows[0]?.last === true) await stopServer(cluster);
  } catch (error) {
    // The server has ended meanwhile: there is nothing to leave.
    if (readPostmaster(cluster)?.alive) throw error;
  }
  await current.client.end().catch(() => undefined);
}
