import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Cluster } from './create-cluster.ts';
import { callProgram } from './server-program.ts';

const LOG_LIMIT_BYTES = 1_000_000;

/** The contents of PostgreSQL's lock file for a cluster's server. */
export interface Postmaster {
  pid: number;
  port: number;
  /** Whether that process is alive and is the server of this cluster. */
  alive: boolean;
  /** Whether it has the port, and takes connections. Before, another cluster's server may answer there. */
  isReady: boolean;
}

/** A server this process has started. */
export interface LaunchedServer {
  port: number;
  /** How it ended; undefined while it runs. */
  exit: { exit_code: number | null; signal: string | null } | undefined;
}

/** The process id of a dead server may be reused: a server's working directory is its cluster's directory. */
function isServerOf(directory: string, pid: number): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === directory;
    return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout.includes(directory);
  } catch {
    return false;
  }
}

/** Reads `postmaster.pid`: line 1 is the process id, line 4 the port, line 8 the state. Undefined if there is no such file. */
export function readPostmaster(cluster: Cluster): Postmaster | undefined {
  try {
    const lines = readFileSync(path.join(cluster.directory, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    const alive = isServerOf(cluster.directory, pid);
    return { pid, port: Number(lines[3]), alive, isReady: alive && lines[7]?.trim() === 'ready' };
  } catch {
    return undefined;
  }
}

/** The port if it is free, 0 for any; undefined if it is taken. */
async function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}

/**
 * The port of the cluster's last server, from the command line that PostgreSQL keeps: its users may wait for it there.
 */
function lastPort(cluster: Cluster): number | undefined {
  try {
    const commandLine = readFileSync(path.join(cluster.directory, 'postmaster.opts'), 'utf8');
    const [, port] = /"port=(\d+)"/.exec(commandLine) ?? [];
    return port === undefined ? undefined : Number(port);
  } catch {
    return undefined;
  }
}

async function choosePort(cluster: Cluster): Promise<number> {
  const last = lastPort(cluster);
  const port = (last !== undefined && (await freePort(last))) || (await freePort(0));
  if (port === undefined) throw new Error('PostgreSQL finds no port on 127.0.0.1 that is free.');
  return port;
}

function openLog(cluster: Cluster): number {
  const file = path.join(cluster.dataDirectory, 'postgres.log');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return openSync(file, size > LOG_LIMIT_BYTES ? 'w' : 'a', 0o600);
}

/** The messages of a server that accepts no connections yet: such lines do not say why it ended. */
const TURNED_AWAY = /FATAL:\s+the database system is (starting up|shutting down|in recovery mode|not yet accepting)/;
const TAIL_LINES = 5;

/** The last lines of the server's log; its settings keep statements and parameters out of it. */
export function logTail(cluster: Cluster): string[] {
  const file = path.join(cluster.dataDirectory, 'postgres.log');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.filter((line) => !TURNED_AWAY.test(line)).slice(-TAIL_LINES);
}

/**
 * Starts the server and does not wait for it. It runs in its own process session, so that a Ctrl-C for the service does
 * not stop the database while requests are still in flight. PostgreSQL itself refuses a second server.
 *
 * @param settings of postgresql.conf by name
 * @param port to listen on; by default the last one, or any free one
 */
export async function launchServer(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  port?: number,
): Promise<LaunchedServer> {
  const server: LaunchedServer = { port: port ?? (await choosePort(cluster)), exit: undefined };
  const flags = Object.entries({ ...settings, port: server.port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const call = callProgram('postgres', ['-D', cluster.directory, ...flags], {
    directory: cluster.dataDirectory,
    user: cluster.user,
  });
  const log = openLog(cluster);
  const child = spawn(call.command, call.arguments, {
    ...call.options,
    env: { ...call.options.env, ...notAServer(cluster) },
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.once('error', () => {
    server.exit = { exit_code: null, signal: null };
  });
  child.once('exit', (exit_code, signal) => {
    server.exit = { exit_code, signal };
  });
  child.unref();
  return server;
}

/** The variable with which pg_ctl names a process that is not a server although it has the process id of a dead one. */
function notAServer(cluster: Cluster): Record<string, string> {
  const stale = readPostmaster(cluster);
  return stale === undefined || stale.alive ? {} : { PG_GRANDPARENT_PID: String(stale.pid) };
}
