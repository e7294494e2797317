import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@causeway/embedded-postgres';

/** A PostgreSQL server of its own that can be made to crash. */
export interface CrashablePostgres {
  /** Another one after each `start`: the port changes. */
  readonly url: string;
  readonly port: number;
  /** What `pg_ctl stop -m immediate` does: no shutdown checkpoint, every session gone, recovery at the next start. */
  crash(): Promise<void>;
  /** Starts it again on the same files; when it has recovered and answers. */
  start(): Promise<void>;
  /** What the server itself has written. */
  readLog(): Promise<string>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 5;

/**
 * Starts an empty server in a temporary folder, with the settings the service gives its own and nothing left out that a
 * crash would need, unless `settings` say so. The folder's name lets the next test run remove it if this one is killed.
 */
export async function startCrashablePostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<CrashablePostgres> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDirectory, settings });
  let server = await start();
  return {
    get url() {
      return server.url;
    },
    get port() {
      return Number(new URL(server.url).port);
    },
    async crash() {
      const file = path.join(dataDirectory, 'postgres', 'postmaster.pid');
      const pid = Number((await readFile(file, 'utf8')).split('\n')[0]);
      process.kill(pid, 'SIGQUIT');
      while (isAlive(pid)) await delay(POLL_INTERVAL_MS);
    },
    async start() {
      server = await start();
    },
    readLog: () => readFile(path.join(dataDirectory, 'postgres.log'), 'utf8'),
    async stop() {
      await server.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
