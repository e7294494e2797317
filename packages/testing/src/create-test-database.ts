import { randomBytes } from 'node:crypto';
import { type Database, type DatabaseOptions, openDatabase } from '@causeway/db';
import { PrismaClient } from '@causeway/db/prisma';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { inject } from 'vitest';
import { urlOfDatabase, urlOfRole } from './test-server.ts';

/** A database whose rows a test reads and changes through Prisma, on the same pool. The service does not. */
export type DatabaseWithPrisma = Database & { readonly prisma: PrismaClient };

export function openWithPrisma(options: DatabaseOptions): DatabaseWithPrisma {
  const database = openDatabase(options);
  let prisma: PrismaClient | undefined;
  // Made when it is first asked for; not in what is spread, so that the service's views of a database lack it.
  return Object.defineProperty(database, 'prisma', {
    get: () => {
      prisma ??= new PrismaClient({ adapter: new PrismaPg(database.pool) });
      return prisma;
    },
  }) as DatabaseWithPrisma;
}

export interface TestDatabase {
  /** The URL of the service's role, which owns nothing and has the service's rights. */
  url: string;
  database: DatabaseWithPrisma;
  /** The URL of the owner of the tables, for a test that prepares rows or reads what the service may not. */
  ownerUrl: string;
  owner: DatabaseWithPrisma;
  /** Closes both and drops the database, even if others are connected. */
  drop(): Promise<void>;
}

async function onServer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function createDatabase(source: string): Promise<{ ownerUrl: string; drop: () => Promise<void> }> {
  const server = inject('testServer');
  const name = `${server.prefix}${randomBytes(6).toString('hex')}`;
  // Copying files takes a tenth of the time of copying through the write-ahead log.
  await onServer(server.url, `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY file_copy`);
  return {
    ownerUrl: urlOfDatabase(server.url, name),
    drop: () => onServer(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/**
 * A migrated, empty database for one test file, copied from the run's template:
 *
 *     const { database, drop } = await createTestDatabase();
 *     afterAll(drop);
 *
 * Needs `global-setup.ts` in the package's vitest.config.ts. Packages on which this one depends import this file by its
 * path, to avoid a dependency cycle: `../../testing/src/create-test-database.ts`.
 */
export async function createTestDatabase(options: Omit<DatabaseOptions, 'url'> = {}): Promise<TestDatabase> {
  const { template, service } = inject('testServer');
  const { ownerUrl, drop } = await createDatabase(template);
  const url = urlOfRole(ownerUrl, service);
  const database = openWithPrisma({ ...options, url });
  const owner = openWithPrisma({ url: ownerUrl });
  return {
    url,
    database,
    ownerUrl,
    owner,
    drop: async () => {
      await Promise.all([database.close(), owner.close()]);
      await drop();
    },
  };
}

/** The same without tables, for tests of the migrations themselves; `url` is the owner's. */
export async function createEmptyDatabase(): Promise<Pick<TestDatabase, 'url' | 'database' | 'drop'>> {
  const { ownerUrl: url, drop } = await createDatabase('template0');
  const database = openWithPrisma({ url });
  return { url, database, drop: () => database.close().then(drop) };
}

/** A URL of the service's role for a database from `createEmptyDatabase`: it has no rights there yet. */
export const asService = (url: string): string => urlOfRole(url, inject('testServer').service);
