import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Cluster } from './create-cluster.ts';
import { callProgram } from './server-program.ts';

const LOG_LIMIT_BYTES = 1_000_000;

/** What PostgreSQL's lock file says about the server of a cluster. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Whether that process lives and is the server of this cluster. */
  alive: boolean;
}

/** A server this process has started. */
export interface LaunchedServer {
  exited: boolean;
}

/** A process with the number of a dead server may be anything: a server works in its cluster's directory. */
function isServerOf(directory: string, pid: number): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === directory;
    return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout.includes(directory);
  } catch {
    return false;
  }
}

/** Reads `postmaster.pid`: line 1 is the process, line 4 the port. Undefined where there is no such file. */
export function readPostmaster(cluster: Cluster): Postmaster | undefined {
  try {
    const lines = readFileSync(path.join(cluster.directory, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return { pid, port: Number(lines[3]), alive: isServerOf(cluster.directory, pid) };
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function openLog(cluster: Cluster): number {
  const file = path.join(cluster.dataDirectory, 'postgres.log');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(file, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600);
}

/** The last lines of the server's log, for an error message. */
export function logTail(cluster: Cluster): string {
  const file = path.join(cluster.dataDirectory, 'postgres.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-5).join('\n') : '';
}

/**
 * Starts the server and does not wait for it. It is a session of its own, so that a Ctrl-C meant for the service does
 * not take the database from under the requests it still finishes. PostgreSQL itself refuses a second server.
 *
 * @param settings of postgresql.conf by name
 */
export async function launchServer(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<LaunchedServer> {
  const flags = Object.entries({ ...settings, port: String(await freePort()) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const call = callProgram('postgres', ['-D', cluster.directory, ...flags], {
    directory: cluster.dataDirectory,
    user: cluster.user,
  });
  const stale = readPostmaster(cluster);
  // The variable with which pg_ctl names a process that is no server although it has the number of a dead one.
  const env =
    stale === undefined || stale.alive
      ? call.options.env
      : { ...call.options.env, PG_GRANDPARENT_PID: String(stale.pid) };
  const log = openLog(cluster);
  const child = spawn(call.command, call.arguments, {
    ...call.options,
    env,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const server = { exited: false };
  child.once('error', () => {
    server.exited = true;
  });
  child.once('exit', () => {
    server.exited = true;
  });
  child.unref();
  return server;
}
