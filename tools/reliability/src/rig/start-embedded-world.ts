import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { layCluster, startFakeVendor, startServiceProcess } from '@causeway/testing';
import { timeUntil } from './gate.ts';
import { type ServiceWorld, serviceWorld, variablesOf } from './service-world.ts';

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
  variables?: Record<string, string>;
  /** A temporary one, removed with the world, unless given. */
  dataDirectory?: string;
}

/** Starts everything on free ports; `await using world = await startEmbeddedWorld()` ends it. */
export async function startEmbeddedWorld(options: EmbeddedWorldOptions = {}): Promise<EmbeddedWorld> {
  const directory = options.dataDirectory ?? mkdtempSync(path.join(tmpdir(), `causeway-test-${process.pid}-`));
  const stack = new AsyncDisposableStack();
  if (options.dataDirectory === undefined) stack.defer(() => rm(directory, { recursive: true, force: true }));
  stack.defer(() => endServer(directory));
  try {
    await layCluster(directory);
    const vendor = await startFakeVendor();
    stack.defer(() => vendor.close());
    const variables = variablesOf({ vendors: { VENDOR: vendor.url }, variables: options.variables });
    const starts = Array.from({ length: options.instances ?? 1 }, async () => {
      const service = await startServiceProcess({ DATA_DIR: directory, ...variables });
      stack.defer(() => service.kill());
      return { process: service };
    });
    const instances = await Promise.all(starts);
    const parts = { instances, vendor, staffApiKey: variables.STAFF_API_KEY, databaseUrl: () => urlOf(directory) };
    return { ...serviceWorld(stack, parts), postmaster: () => readPostmaster(directory) };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
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
