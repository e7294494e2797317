import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { layCluster } from '@causeway/testing';
import { openWorld, type ServiceWorld } from './service-world.ts';
import { timeUntil } from './wait.ts';

/** The server's first process, as its lock file names it. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** Instances that share a data directory and the PostgreSQL server in it, which they start and stop themselves. */
export interface EmbeddedWorld extends ServiceWorld {
  /** Undefined while there is no server. */
  postmaster(): Postmaster | undefined;
}

export interface EmbeddedWorldOptions {
  instances?: number;
  /** A temporary one, removed with the world, unless given. */
  dataDirectory?: string;
}

/** Starts everything on free ports; `await using world = await startEmbeddedWorld()` ends it. */
export function startEmbeddedWorld({
  instances = 1,
  dataDirectory,
}: EmbeddedWorldOptions = {}): Promise<EmbeddedWorld> {
  return openWorld({}, async ({ stack, start }) => {
    const directory = dataDirectory ?? mkdtempSync(path.join(tmpdir(), `causeway-test-${process.pid}-`));
    if (dataDirectory === undefined) stack.defer(() => rm(directory, { recursive: true, force: true }));
    stack.defer(() => endServer(directory));
    await layCluster(directory);
    const startInstance = async () => ({ process: await start({ DATA_DIR: directory }) });
    return {
      instances: await Promise.all(Array.from({ length: instances }, startInstance)),
      databaseUrl: () => urlOf(directory),
      postmaster: () => readPostmaster(directory),
    };
  });
}

/** Line 1 of the lock file is the process, line 4 its port. */
function readPostmaster(directory: string): Postmaster | undefined {
  try {
    const lines = readFileSync(path.join(directory, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    return isAlive(pid) && port > 0 ? { pid, port } : undefined;
  } catch {
    return undefined;
  }
}

function urlOf(directory: string): string {
  const password = readFileSync(path.join(directory, 'postgres-password'), 'utf8').trim();
  return `postgresql://causeway:${password}@127.0.0.1:${readPostmaster(directory)?.port ?? 1}/causeway`;
}

/** Its services have been killed, so nothing else stops it. */
async function endServer(directory: string): Promise<void> {
  const server = readPostmaster(directory);
  if (server === undefined) return;
  process.kill(server.pid, 'SIGQUIT');
  await timeUntil(() => !isAlive(server.pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
