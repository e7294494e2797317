import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createEmptyDatabase } from '../../testing/src/create-test-database.ts';
import { prepareDatabase } from '../src/index.ts';
import { BASELINE, CHECKSUMS_OF_REPLACED, migrate } from '../src/migrations/migrate.ts';
import { MIGRATIONS_DIRECTORY } from '../src/migrations/migration-list.ts';
import { fillBook } from './fixtures/fill-book.ts';
import { FILTERS, readMigrations, withPrisma } from './fixtures/with-prisma.ts';
import { writeMigrations } from './fixtures/write-migrations.ts';

const RECORD = 'SELECT migration_name AS name, checksum FROM _prisma_migrations ORDER BY started_at, migration_name';
const ALL_OF_0_1_0 = [...CHECKSUMS_OF_REPLACED].map(([name, checksum]) => ({ name, checksum }));

/** A database with a book that version 0.1.0 has made by these of its migrations. */
async function bookOf010(applied = ALL_OF_0_1_0) {
  const { url, database, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const ask = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
  const script = await readFile(path.join(MIGRATIONS_DIRECTORY, BASELINE, 'migration.sql'), 'utf8');
  const directory = await writeMigrations({ [BASELINE]: script });
  await migrate(url, directory);
  await fillBook(database.pool, 40);
  await ask('DELETE FROM _prisma_migrations');
  await ask(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
    SELECT gen_random_uuid(), checksum, name, '2026-11-27', '2026-11-27', 1
    FROM jsonb_to_recordset($1) AS applied (name text, checksum text)`,
    [JSON.stringify(applied)],
  );
  return { url, ask, script, directory };
}

type Book = Awaited<ReturnType<typeof bookOf010>>;

/** Each table with its file, each function with its version, and how many rows have been read by going through tables. */
const stateOf = async ({ ask }: Book) => {
  // Otherwise a session counts what it has read when it has the time.
  await ask('SELECT pg_stat_force_next_flush()');
  return ask(`
    SELECT pg_class.relname, relfilenode::int AS made, seq_tup_read::int AS read
    FROM pg_class LEFT JOIN pg_stat_user_tables ON relid = pg_class.oid AND relid <> '_prisma_migrations'::regclass
    WHERE relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT proname, xmin::text::int, NULL FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1, 2`);
};

test('15.4.8 a database of version 0.1.0 takes the baseline as applied: nothing else changes, and no table is gone through', async () => {
  const book = await bookOf010();
  const before = await stateOf(book);
  const done: string[] = [];
  await migrate(book.url, book.directory, (sentence) => done.push(sentence));
  expect(done).toEqual([`Recorded migration ${BASELINE}, whose tables there are.`]);
  expect(await stateOf(book)).toEqual(before);
  // Version 0.1.0 serves beside this one: it finds its migrations.
  const baseline = { name: BASELINE, checksum: createHash('sha256').update(book.script).digest('hex') };
  expect(await book.ask(RECORD)).toEqual([...ALL_OF_0_1_0, baseline]);
  expect(await prepareDatabase(book)).toMatchObject({ missingIndexes: [], brokenConstraints: [] });
});

test('15.4.8 instances that start at once record the baseline once, and Prisma has nothing to apply then', async () => {
  const { ask, url, directory } = await bookOf010();
  await Promise.all(Array.from({ length: 4 }, () => migrate(url, directory)));
  expect(await ask(RECORD)).toHaveLength(ALL_OF_0_1_0.length + 1);
  const migrationsList = await readMigrations(directory);
  const { appliedMigrationNames } = await withPrisma(url, (engine) =>
    engine.applyMigrations({ migrationsList, filters: FILTERS }),
  );
  expect(appliedMigrationNames).toEqual([]);
});

const OLDER =
  /^The database was not changed: it is older than version 0\.1\.0 \(\d+ of 46 migrations\)\. Start version 0\.1\.0 on it once\. /;
const STRANGE = /^The database was not changed: its migration \w+ is not one of version 0\.1\.0\. Use a database that /;
const [first, ...others] = ALL_OF_0_1_0;

test.each([
  ['with the first 30 of its migrations', ALL_OF_0_1_0.slice(0, 30), OLDER],
  ['without one of them', others, OLDER],
  ['of which one has another script', [{ name: first?.name, checksum: '0'.repeat(64) }, ...others], STRANGE],
  ['with a migration that is not its own', [...ALL_OF_0_1_0, { name: '1_theirs', checksum: '0' }], STRANGE],
])('15.4.8 a database %s is refused and left as it is', async (_of, applied, message) => {
  const book = await bookOf010(applied as typeof ALL_OF_0_1_0);
  const before = [await book.ask(RECORD), await stateOf(book)];
  await expect(prepareDatabase(book)).rejects.toThrow(message);
  expect([await book.ask(RECORD), await stateOf(book)]).toEqual(before);
});

test('15.4.8 so is one where version 0.1.0 could not put the new key of payment instructions in the place of the old one', async () => {
  const { ask, url } = await bookOf010();
  await ask('ALTER TABLE payment_instructions ADD PRIMARY KEY (account_import_id)');
  await expect(migrate(url)).rejects.toThrow(OLDER);
  expect(await ask(RECORD)).toEqual(ALL_OF_0_1_0);
});
