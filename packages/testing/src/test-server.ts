import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@causeway/embedded-postgres';
import { LAID_DATABASE, layCluster } from './lay-cluster.ts';

/** What a test file needs to create its own database; passed from the global set-up to the workers. */
export interface TestServer {
  /** A connection that may create databases. */
  url: string;
  /** The migrated database to copy. */
  template: string;
  /** The role of this run's services, which owns nothing. */
  service: { role: string; password: string };
  /** The prefix of this run's database names, so that several runs can share a server. */
  prefix: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

/** The URL of another database on the same server. */
export function urlOfDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}

/** The URL of the same database for another role. */
export function urlOfRole(url: string, { role, password }: { role: string; password: string }): string {
  const parsed = new URL(url);
  parsed.username = role;
  parsed.password = password;
  return parsed.href;
}

// It need not survive a crash: durability is switched off, which is faster. So are passwords that are costly to guess.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  deadlock_timeout: '50ms',
  scram_iterations: '1',
};

const FOLDER = /^causeway-test-(\d+)-/;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A killed run leaves its server and folder behind: the next run takes the server over and stops it. */
async function removeAbandonedServers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const dataDirectory = path.join(tmpdir(), name);
    try {
      const { stop } = await startEmbeddedPostgres({ dataDirectory, settings: SETTINGS });
      await stop();
      await rm(dataDirectory, { recursive: true, force: true });
    } catch {
      // It belongs to another user, or another run is removing it.
    }
  }
}

/**
 * The server in TEST_DATABASE_URL, or this run's own in a temporary folder, removed by `stop`; and the database to
 * begin with, which on the run's own server is migrated.
 */
export async function startTestServer(): Promise<{ url: string; source: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, source: 'template0', stop: async () => undefined };
  await removeAbandonedServers();
  const dataDirectory = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
  await layCluster(dataDirectory);
  const { url, stop } = await startEmbeddedPostgres({ dataDirectory, settings: SETTINGS });
  return {
    url,
    source: LAID_DATABASE,
    stop: async () => {
      await stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
