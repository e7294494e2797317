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
  /** Resolves when the session has ended, for any reason. */
  ended: Promise<void>;
}

export const DATABASE = 'causeway';
/** The advisory lock that every user of the server holds, shared, for as long as it lives. */
const USERS_LOCK = 4_210_001;
const POLL_INTERVAL_MS = 10;
/** A server that accepts a connection and then does not answer counts as down. */
const ANSWER_TIMEOUT_MS = 5_000;
/** How long to wait for the users' lock: while the last user stops the server, new ones retry. */
const USERS_LOCK_TIMEOUT_MS = 2_000;
/** How long a server that is restarting its sessions may delay a user that leaves. */
const LEAVE_PATIENCE_MS = 2_000;

/** The URL of a database on the cluster's server, with the superuser's password. */
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
 * within seconds even if a server hangs.
 */
export async function joinServer(cluster: Cluster): Promise<Membership | undefined> {
  const postmaster = readPostmaster(cluster);
  if (!postmaster?.isReady) return undefined;
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
    // Fails while the last user is stopping the server.
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

/** The session, or a new one if it was terminated: the server may still be up, or starting again. */
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
 * Ends the membership, and the server with the last one. A server that does not answer is stopped by the process that
 * launched it. A server launched by another process that is still recovering from a crash is left running, as after a
 * kill: the next start takes it over. Waiting for it would delay a service that was asked to stop for too long.
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
