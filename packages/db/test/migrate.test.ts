import { afterAll, expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createEmptyDatabase, createTestDatabase } from '../../testing/src/create-test-database.ts';
import { migrate, pendingMigrations, sql } from '../src/index.ts';
import { migrationNames } from '../src/migrations/migration-list.ts';
import { schemaDifference } from '../src/migrations/schema-difference.ts';
import { writeMigrations } from './fixtures/write-migrations.ts';

const relations = sql('test_relations', { relname: 'text' })`
  SELECT relname
  FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
  ORDER BY relname`;
const appliedMigrations = sql('test_applied_migrations', { migration_name: 'text' })`
  SELECT migration_name
  FROM _prisma_migrations
  WHERE finished_at IS NOT NULL
  ORDER BY migration_name`;

const migrated = await createTestDatabase();

afterAll(() => migrated.drop());

test('15.4 applies every migration once when four instances start at once on an empty database', async () => {
  const { url, database, drop } = await createEmptyDatabase();
  expect(await pendingMigrations(database)).toEqual(await migrationNames());
  await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
  const rows = await database.query(appliedMigrations, {});
  expect(rows.map((row) => row.migration_name)).toEqual(await migrationNames());
  expect(await pendingMigrations(database)).toEqual([]);
  await drop();
});

test('15.4 writes nothing to a database that is up to date', async () => {
  const { url, owner, drop } = await createTestDatabase();
  await owner.pool.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
  await expect(migrate(url)).resolves.toBeUndefined();
  await drop();
});

test('15.4 finds no difference between the migrations and schema.prisma', async () => {
  expect(await schemaDifference(migrated.ownerUrl)).toBeUndefined();
});

test('15.4 notices where a database has drifted from schema.prisma', async () => {
  const { ownerUrl, owner, drop } = await createTestDatabase();
  await owner.pool.query('ALTER TABLE notes DROP COLUMN body');
  expect(await schemaDifference(ownerUrl)).toContain('ADD COLUMN     "body" TEXT');
  await drop();
});

test('15.4 applies all pending migrations or none, and names the one that failed with its reason', async () => {
  const { url, database, drop } = await createEmptyDatabase();
  const good = { '1_create_harbour': 'CREATE TABLE harbour (id int);' };
  const bad = 'CREATE TABLE quay (id int); INSERT INTO nowhere VALUES (1);';
  const directory = await writeMigrations({ ...good, '2_create_quay': bad });
  await expect(migrate(url, directory)).rejects.toThrow(/migration 2_create_quay failed: relation "nowhere" does not/);
  expect(await database.query(relations, {})).toEqual([]);

  await migrate(url, await writeMigrations({ ...good, '2_create_quay': 'CREATE TABLE quay (id int);' }));
  const names = (await database.query(relations, {})).map((row) => row.relname);
  expect(names).toEqual(['_prisma_migrations', 'harbour', 'quay']);
  await drop();
});

test('15.4 takes a script with semicolons inside a function', async () => {
  const { url, database, drop } = await createEmptyDatabase();
  const script = 'CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END; $$;';
  await migrate(url, await writeMigrations({ '1_create_one': script }));
  expect(await database.query(sql('test_one')`SELECT one()`, {})).toEqual([{ one: 1 }]);
  await drop();
});

test('16.10.4 the limits that a role has for the service behind a pooler do not end its migrations', async () => {
  const { url, database, drop } = await createEmptyDatabase();
  const name = new URL(url).pathname.slice(1);
  await database.pool.query(`ALTER DATABASE ${name} SET statement_timeout = '60s'`);
  const script = `CREATE TABLE seen AS SELECT current_setting('statement_timeout') AS statement_timeout;`;
  await migrate(url, await writeMigrations({ '1_see': script }));
  expect((await database.pool.query('SELECT * FROM seen')).rows).toEqual([{ statement_timeout: '0' }]);
  await drop();
});
