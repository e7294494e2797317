import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { asService, createEmptyDatabase } from '../../testing/src/create-test-database.ts';
import { migrate, pendingMigrations } from '../src/index.ts';
import { MIGRATIONS_DIRECTORY, migrationNames } from '../src/migrations/migration-list.ts';
import { grantServiceRights, roleOf } from '../src/roles/grant-service-rights.ts';
import { FILTERS, readMigrations, withPrisma } from './fixtures/with-prisma.ts';
import { writeMigrations } from './fixtures/write-migrations.ts';

const HARBOUR = { '1_create_harbour': 'CREATE TABLE harbour (id int);' };
const QUAY = { '2_create_quay': 'CREATE TABLE quay (id int);' };
const RECORD = `SELECT migration_name, checksum, logs, rolled_back_at, applied_steps_count FROM _prisma_migrations
  ORDER BY started_at`;

async function emptyDatabase() {
  const { url, database, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const ask = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
  return { url, database, ask };
}

const hasTable = async ({ ask }: Awaited<ReturnType<typeof emptyDatabase>>, name: string): Promise<boolean> =>
  (await ask('SELECT to_regclass($1) IS NOT NULL AS there', [name]))[0].there;

/** What is recorded of these migrations, in the order in which they were applied, as Prisma records it. */
const recordOf = (scripts: Record<string, string>) =>
  Object.entries(scripts).map(([migration_name, script]) => ({
    migration_name,
    checksum: createHash('sha256').update(script).digest('hex'),
    logs: null,
    rolled_back_at: null,
    applied_steps_count: 1,
  }));

async function scriptsOfThisVersion(): Promise<Record<string, string>> {
  const names = await migrationNames();
  const files = names.map((name) => readFile(path.join(MIGRATIONS_DIRECTORY, name, 'migration.sql'), 'utf8'));
  const scripts = await Promise.all(files);
  return Object.fromEntries(names.map((name, at) => [name, scripts[at] ?? '']));
}

test('15.4.5 the migrations of this version are recorded by name, in order, with the checksums of their files', async () => {
  const { url, ask } = await emptyDatabase();
  await migrate(url);
  expect(await ask(RECORD)).toEqual(recordOf(await scriptsOfThisVersion()));
  expect(await ask('SELECT FROM _prisma_migrations WHERE finished_at <= started_at OR length(id) <> 36')).toEqual([]);
});

test("15.4.5 Prisma's own tools find nothing to apply, to fix or to complain of in a database that was migrated", async () => {
  const { url } = await emptyDatabase();
  await migrate(url);
  const migrationsList = await readMigrations(MIGRATIONS_DIRECTORY);
  const history = await withPrisma(url, (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters: FILTERS }),
  );
  expect(history).toMatchObject({ editedMigrationNames: [], failedMigrationNames: [], hasMigrationsTable: true });
  expect(history.history).toBeNull();
  const applied = await withPrisma(url, (engine) => engine.applyMigrations({ migrationsList, filters: FILTERS }));
  expect(applied.appliedMigrationNames).toEqual([]);
});

test("15.4.5 a database that Prisma's engine migrated is known, and its record is the same", async () => {
  const [before, anew] = [await emptyDatabase(), await emptyDatabase()];
  const migrationsList = await readMigrations(await writeMigrations(HARBOUR));
  await withPrisma(before.url, (engine) => engine.applyMigrations({ migrationsList, filters: FILTERS }));
  const directory = await writeMigrations({ ...HARBOUR, ...QUAY });
  for (const { url, ask } of [before, anew]) {
    await migrate(url, directory);
    expect(await ask(RECORD)).toEqual(recordOf({ ...HARBOUR, ...QUAY }));
  }
  const columns = `SELECT attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid) AS fallback,
      (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contype = 'p' AND conrelid = attrelid) AS key
    FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = '_prisma_migrations'::regclass AND attnum > 0 ORDER BY attnum`;
  expect(await anew.ask(columns)).toEqual(await before.ask(columns));
});

test('15.4.5 a migration that was changed after it was applied stays as it was applied', async () => {
  const database = await emptyDatabase();
  await migrate(database.url, await writeMigrations(HARBOUR));
  await migrate(database.url, await writeMigrations({ '1_create_harbour': 'CREATE TABLE pier (id int);', ...QUAY }));
  expect(await database.ask(RECORD)).toEqual(recordOf({ ...HARBOUR, ...QUAY }));
  expect(await hasTable(database, 'pier')).toBe(false);
});

test('15.4.5 a database that a newer version migrated is ready, and takes an older migration that it lacks', async () => {
  const { url, ask } = await emptyDatabase();
  await migrate(url, await writeMigrations({ ...HARBOUR, '3_create_crane': 'CREATE TABLE crane (id int);' }));
  await migrate(url, await writeMigrations(HARBOUR));
  await migrate(url, await writeMigrations({ ...HARBOUR, ...QUAY }));
  const names = (await ask(RECORD)).map(({ migration_name }) => migration_name);
  expect(names).toEqual(['1_create_harbour', '3_create_crane', '2_create_quay']);
});

test('15.4.6 a migration that Prisma began and left unfinished stops the next one, which says what to do and then continues', async () => {
  const database = await emptyDatabase();
  const { url, ask } = database;
  await migrate(url, await writeMigrations(HARBOUR));
  const failing = await readMigrations(await writeMigrations({ ...HARBOUR, '2_create_quay': 'SELECT 1 / 0;' }));
  const deploy = withPrisma(url, (engine) => engine.applyMigrations({ migrationsList: failing, filters: FILTERS }));
  await expect(deploy).rejects.toThrow();
  // Nothing is pending for the version before: it starts.
  await migrate(url, await writeMigrations(HARBOUR));
  const directory = await writeMigrations({ ...HARBOUR, ...QUAY });
  await expect(migrate(url, directory)).rejects.toThrow(
    /^The database was not changed: migration 2_create_quay was begun at .* division by zero.*set rolled_back_at of its row/s,
  );
  expect(await hasTable(database, 'quay')).toBe(false);

  await withPrisma(url, (engine) => engine.markMigrationRolledBack({ migrationName: '2_create_quay' }));
  await migrate(url, directory);
  expect(await hasTable(database, 'quay')).toBe(true);
  expect(await ask(RECORD)).toHaveLength(3);
});

test('15.4.6 nothing is changed in a database of somebody else, and the message says what to do', async () => {
  const database = await emptyDatabase();
  await database.ask('CREATE TABLE theirs (id int)');
  await expect(migrate(database.url, await writeMigrations(HARBOUR))).rejects.toThrow(
    'The database was not changed: it has tables and no _prisma_migrations that tells of them. Use an empty database',
  );
  expect(await hasTable(database, '_prisma_migrations')).toBe(false);
});

test('15.4.5 tables are made in the schema that the role works in, also by a later version', async () => {
  const { url, ask, database } = await emptyDatabase();
  await ask('CREATE SCHEMA mine');
  await ask(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = mine`);
  await migrate(url, await writeMigrations(HARBOUR));
  await migrate(url, await writeMigrations({ ...HARBOUR, ...QUAY }));
  const { rows } = await database.pool.query(
    `SELECT relname FROM pg_class WHERE relnamespace = 'mine'::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  expect(rows.map(({ relname }) => relname)).toEqual(['_prisma_migrations', 'harbour', 'quay']);
});

test('15.4.6 migrations that lost a deadlock are applied once more', async () => {
  const { url, ask } = await emptyDatabase();
  await ask('CREATE SEQUENCE tries');
  const script = `CREATE TABLE harbour (id int); DO $$ BEGIN
    IF nextval('tries') = 1 THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END IF;
  END $$;`;
  await migrate(url, await writeMigrations({ '1_create_harbour': script }));
  expect(await ask('SELECT last_value::int AS tries FROM tries')).toEqual([{ tries: 2 }]);
  expect(await ask(RECORD)).toEqual(recordOf({ '1_create_harbour': script }));
});

test('15.4.6 no migration of this version ends the transaction that all are applied in', async () => {
  const { database } = await emptyDatabase();
  const client = await database.pool.connect();
  onTestFinished(() => client.release(true));
  await client.query('BEGIN');
  const { rows: before } = await client.query('SELECT pg_current_xact_id()');
  for (const [name, script] of Object.entries(await scriptsOfThisVersion())) {
    await client.query(script);
    expect((await client.query('SELECT pg_current_xact_id()')).rows, name).toEqual(before);
  }
});

test('15.4.6 a role that may only use the tables is told which migrations are pending and what to set', async () => {
  const { url, database } = await emptyDatabase();
  const names = await migrationNames();
  const told = new RegExp(`not changed: .*permission denied.* Pending: ${names.join(', ')}\\. Set DATABASE_OWNER_URL`);
  await expect(migrate(asService(url))).rejects.toThrow(told);
  await migrate(url);
  await grantServiceRights(url, roleOf(asService(url)));
  await expect(migrate(asService(url))).resolves.toBeUndefined();
  await database.pool.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [names.at(-1)]);
  await expect(migrate(asService(url))).rejects.toThrow(`Pending: ${names.at(-1)}. Set DATABASE_OWNER_URL`);
  expect(await pendingMigrations(database)).toEqual(names.slice(-1));
});
