import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm';

/** The repository's `prisma` folder: the schema and its migrations. */
const PRISMA_DIRECTORY = fileURLToPath(new URL('../../../../prisma', import.meta.url));

/** The data model's file. */
export const SCHEMA_FILE = path.join(PRISMA_DIRECTORY, 'schema.prisma');

/** The migrations that come with this code. */
export const MIGRATIONS_DIRECTORY = path.join(PRISMA_DIRECTORY, 'migrations');

/** The names of the migrations in a directory, oldest first: the names begin with their time. */
export async function migrationNames(directory = MIGRATIONS_DIRECTORY): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The migrations of a directory in the shape Prisma's schema engine takes. */
export async function readMigrations(directory = MIGRATIONS_DIRECTORY): Promise<MigrationList> {
  const names = await migrationNames(directory);
  const scripts = await Promise.all(names.map((name) => readFile(path.join(directory, name, 'migration.sql'), 'utf8')));
  return {
    baseDir: directory,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(path.join(directory, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: scripts.map((value, index) => ({
      path: names[index] ?? '',
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value } },
    })),
  };
}
