import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's `prisma` folder: the schema and its migrations. */
const PRISMA_DIRECTORY = fileURLToPath(new URL('../../../../prisma', import.meta.url));

/** The file of the data model. */
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
