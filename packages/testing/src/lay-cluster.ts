import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { prepareDatabase } from '@causeway/db';
import { startEmbeddedPostgres } from '@causeway/embedded-postgres';
import pg from 'pg';
import { CACHE } from './cache.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');
/** Whatever decides what a new cluster is, and what a migrated database has in it. */
const SOURCES = [
  'packages/db/src/{prepare-database.ts,migrations/*.ts,roles/*.ts}',
  'packages/embedded-postgres/{package.json,src/create-cluster.ts,src/start-embedded-postgres.ts}',
  'packages/testing/src/lay-cluster.ts',
  'prisma/migrations/*/migration.sql',
];
/** What stands in a data directory while no server runs on it. */
const PARTS = ['postgres', 'postgres-password'];

/** The database of an embedded server, which `layCluster` has migrated. */
export const LAID_DATABASE = 'causeway';

/** A name that changes with the sources. */
function template(): string {
  const made = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: REPOSITORY }).sort()) {
    made.update(file).update(readFileSync(path.join(REPOSITORY, file)));
  }
  return path.join(CACHE, `cluster-${made.digest('hex').slice(0, 16)}`);
}

/** With the owner of the files, who is not root. */
async function copyParts(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', ...PARTS.map((part) => path.join(from, part)), to]);
}

/** Tests connect some thousand times, and each time both sides would compute 4,096 digests of the password. */
async function easePassword(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET scram_iterations = 1');
    await client.query(`ALTER ROLE CURRENT_USER PASSWORD ${client.escapeLiteral(new URL(url).password)}`);
  } finally {
    await client.end();
  }
}

async function makeTemplate(directory: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const made = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
  const draft = await mkdtemp(`${directory}-`);
  try {
    const { url, stop } = await startEmbeddedPostgres({ dataDirectory: made, settings: { fsync: 'off' } });
    await prepareDatabase({ url })
      .then(() => easePassword(url))
      .finally(stop);
    // Its copies would all start on the port of the last time.
    await rm(path.join(made, 'postgres', 'postmaster.opts'));
    await copyParts(made, draft);
    await rename(draft, directory);
  } catch (error) {
    // Another run was faster.
    if (!existsSync(directory)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * Puts a new cluster of the embedded server into an empty data directory, with a migrated, empty database: as the first
 * start of a service would, copied from one that all tests share, because to create it takes more of the processor
 * than most of the tests.
 */
export async function layCluster(dataDirectory: string): Promise<void> {
  const directory = template();
  if (!existsSync(directory)) await makeTemplate(directory);
  await copyParts(directory, dataDirectory);
}
