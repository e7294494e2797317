import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@causeway/embedded-postgres';
import { CACHE } from './cache.ts';

const EMBEDDED = path.resolve(import.meta.dirname, '../../embedded-postgres');
/** What stands in a data directory while no server runs on it. */
const PARTS = ['postgres', 'postgres-password'];

/** A name that changes with whatever decides what a new cluster is. */
function template(): string {
  const files = ['package.json', 'src/create-cluster.ts', 'src/start-embedded-postgres.ts'];
  const made = createHash('sha256');
  for (const file of files) made.update(readFileSync(path.join(EMBEDDED, file)));
  return path.join(CACHE, `cluster-${made.digest('hex').slice(0, 16)}`);
}

/** With the owner of the files, who is not root. */
async function copyParts(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', ...PARTS.map((part) => path.join(from, part)), to]);
}

async function makeTemplate(directory: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const made = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
  const draft = await mkdtemp(`${directory}-`);
  try {
    const { stop } = await startEmbeddedPostgres({ dataDirectory: made, settings: { fsync: 'off' } });
    await stop();
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
 * Puts a new cluster of the embedded server into an empty data directory, as the server's first start would, copied
 * from one that all tests share: to create it takes more of the processor than most of the tests.
 */
export async function layCluster(dataDirectory: string): Promise<void> {
  const directory = template();
  if (!existsSync(directory)) await makeTemplate(directory);
  await copyParts(directory, dataDirectory);
}
