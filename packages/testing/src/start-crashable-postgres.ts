import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@causeway/embedded-postgres';
import { layCluster } from './lay-cluster.ts';

/** A separate PostgreSQL server that a test can crash. */
export interface CrashablePostgres {
  /** Changes with each `start`, because the port does. */
  readonly url: string;
  readonly port: number;
  /** What `pg_ctl stop -m immediate` does: no shutdown checkpoint, all sessions lost, recovery at the next start. */
  crash(): Promise<void>;
  /** Starts it again on the same files; resolves when it has recovered and answers. */
  start(): Promise<void>;
  /** The server's own output. */
  readLog(): Promise<string>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 5;

/**
 * Starts an empty server in a temporary folder, with the settings of the service's embedded server, including those
 * needed to survive a crash, unless `settings` differ. The folder's name lets the next test run remove it if this one
 * is killed.
 */
export async function startCrashablePostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<CrashablePostgres> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDirectory, settings });
  await layCluster(dataDirectory);
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
