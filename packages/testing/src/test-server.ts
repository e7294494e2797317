import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@causeway/embedded-postgres';

/** What a test file needs to make a database of its own; travels from the global set-up to the workers. */
export interface TestServer {
  /** A connection that may create databases. */
  url: string;
  /** The migrated database to copy. */
  template: string;
  /** The role that the services of this run connect by, which owns nothing. */
  service: { role: string; password: string };
  /** Begins the names of this run's databases, so that several runs can share a server. */
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

/** The same database as another role sees it. */
export function urlOfRole(url: string, { role, password }: { role: string; password: string }): string {
  const parsed = new URL(url);
  parsed.username = role;
  parsed.password = password;
  return parsed.href;
}

// Nothing of it has to survive: what a crash would need is left out, which makes it quicker.
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  deadlock_timeout: '50ms',
};

const FOLDER = /^causeway-test-(\d+)-/;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs that were killed leave their server and its folder behind: the next run takes it over and ends it. */
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
      // Another user's, or another run is at it.
    }
  }
}

/** The server named by TEST_DATABASE_URL, or one of this run's own in a temporary folder, gone with `stop`. */
export async function startTestServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };
  await removeAbandonedServers();
  const dataDirectory = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
  const { url, stop } = await startEmbeddedPostgres({ dataDirectory, settings: SETTINGS });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
