import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@causeway/embedded-postgres';
import { buildIndexes } from './migrations/build-indexes.ts';
import { migrate } from './migrations/migrate.ts';
import { MIGRATIONS_DIRECTORY } from './migrations/migration-list.ts';
import { schemaDifference } from './migrations/schema-difference.ts';

// Writes the next migration: the changes in schema.prisma that are not yet in prisma/migrations. node
// packages/db/src/create-migration.ts add_account_closures

/** The next migration's folder; names sort by time, as Prisma's own do. */
function migrationDirectory(migrationName: string): string {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  return path.join(MIGRATIONS_DIRECTORY, `${time}_${migrationName}`);
}

const [name] = process.argv.slice(2);
if (name === undefined || !/^[a-z0-9]+(_[a-z0-9]+)+$/.test(name)) {
  process.stderr.write('Name the migration for what it adds, for example: create-migration.ts add_account_closures\n');
  process.exit(2);
}

const dataDirectory = await mkdtemp(path.join(tmpdir(), 'causeway-migration-'));
const server = await startEmbeddedPostgres({ dataDirectory, settings: { fsync: 'off' } });
try {
  await migrate(server.url);
  await buildIndexes(server.url);
  const script = await schemaDifference(server.url);
  if (script === undefined) {
    process.stdout.write('The migrations hold all that is in schema.prisma: there is nothing to add.\n');
  } else {
    const directory = migrationDirectory(name);
    await mkdir(directory);
    await writeFile(path.join(directory, 'migration.sql'), script);
    process.stdout.write(`${directory}/migration.sql\n${script}`);
  }
} finally {
  await server.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}
