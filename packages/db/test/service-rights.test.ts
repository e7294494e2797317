import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { asService, createEmptyDatabase, createTestDatabase } from '../../testing/src/create-test-database.ts';
import { migrate, openDatabase, pendingMigrations, prepareDatabase } from '../src/index.ts';
import { SERVICE_RIGHTS } from '../src/roles/service-rights.ts';

const migrated = await createTestDatabase();
await migrated.database.pool.query(
  `INSERT INTO audit_events (subject_id, subject, action, actor, request_id, occurred_at)
  VALUES ($1, 'account_import', 'staged', 'supplier', 'request', now())`,
  [randomUUID()],
);
afterAll(() => migrated.drop());

const DENIED = { code: '42501' };
const RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'];

test.each([
  'UPDATE audit_events SET actor = NULL',
  'DELETE FROM audit_events',
  'TRUNCATE audit_events',
  `INSERT INTO audit_events SELECT * FROM audit_events ON CONFLICT (subject_id, id) DO UPDATE SET actor = 'nobody'`,
  'ALTER TABLE audit_events DISABLE TRIGGER ALL',
  'DROP TABLE audit_events',
  'CREATE TABLE mine (id int)',
  'ALTER TABLE accounts ADD COLUMN mine int',
  'DELETE FROM account_imports',
  'UPDATE transactions SET amount = 1',
  'UPDATE accounts SET transfer_balance = 1',
  'UPDATE accounts SET service_account_number = NULL',
  'UPDATE accounts SET operations_team_id = NULL, open_statement_from = NULL',
  'UPDATE statements SET gross_amount = 1',
  'DELETE FROM import_suppliers',
  'UPDATE import_suppliers SET organisation_id = gen_random_uuid()',
  `UPDATE import_suppliers SET code = 'OTHER'`,
  'UPDATE api_keys SET organisation_id = NULL',
  `UPDATE api_keys SET digest = ''`,
  'UPDATE account_imports SET import_supplier_code = NULL',
  'UPDATE account_imports SET external_account_number = NULL',
  `UPDATE _prisma_migrations SET checksum = ''`,
  'CREATE ROLE mine',
  `COPY audit_events TO PROGRAM 'true'`,
])("15.6 the service's role may not: %s", async (text) => {
  await expect(migrated.database.pool.query(text)).rejects.toMatchObject(DENIED);
});

test("15.6 the service's role has the rights that are written down for each table, and owns nothing", async () => {
  const { rows } = await migrated.database.pool.query<{ relname: string; rights: string[]; owned: boolean }>(
    `SELECT relname, ARRAY(
        SELECT r FROM unnest($1::text[]) r WHERE has_table_privilege(oid, r)
        UNION ALL
        SELECT 'UPDATE (' || string_agg(attname, ', ' ORDER BY attname COLLATE "C") || ')' FROM pg_attribute
        WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT has_table_privilege(pg_class.oid, 'UPDATE')
          AND has_column_privilege(pg_class.oid, attnum, 'UPDATE') HAVING count(*) > 0
      ) AS rights,
      pg_has_role(relowner, 'USAGE') AS owned
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
    [RIGHTS],
  );
  for (const { relname, rights, owned } of rows) {
    expect([relname, rights, owned]).toEqual([
      relname,
      SERVICE_RIGHTS[relname] ?? ['SELECT', 'INSERT', 'UPDATE'],
      false,
    ]);
  }
  for (const table of Object.keys(SERVICE_RIGHTS)) expect(rows.map(({ relname }) => relname)).toContain(table);
});

test.each(['UPDATE audit_events SET actor = actor', 'DELETE FROM audit_events', 'TRUNCATE audit_events'])(
  '15.6 even the owner cannot change audit events by a slip: %s',
  async (text) => {
    await expect(migrated.owner.pool.query(text)).rejects.toThrow('audit events are never changed or removed');
  },
);

test('15.6 a table that is added later can be used by the service, and no right stays that it should not have', async () => {
  const { url, ownerUrl, owner, database, drop } = await createTestDatabase();
  await owner.pool.query('CREATE TABLE jobs (id bigserial, name text)');
  await database.pool.query(`INSERT INTO jobs (name) VALUES ('one')`);
  await expect(database.pool.query('DELETE FROM jobs')).rejects.toMatchObject(DENIED);

  await owner.pool.query('GRANT ALL ON audit_events, jobs TO PUBLIC');
  await owner.pool.query(`GRANT UPDATE, DELETE ON audit_events TO ${new URL(url).username}`);
  await owner.pool.query('REVOKE ALL ON audit_events FROM PUBLIC');
  expect(await prepareDatabase({ url, ownerUrl })).toEqual({
    missingIndexes: [],
    brokenConstraints: [],
    servesAsOwner: false,
  });
  await expect(database.pool.query('DELETE FROM audit_events')).rejects.toMatchObject(DENIED);
  await drop();
});

test('15.6 the service may call the functions of its tables where they are not for everybody, as from the next start', async () => {
  const { url, ownerUrl, owner, database, drop } = await createTestDatabase();
  const add = () =>
    database.pool.query(
      `WITH owner AS (INSERT INTO organisations VALUES (gen_random_uuid(), gen_random_uuid()::text, now()) RETURNING id)
      SELECT share_import_supplier('NONE', true), account_import_id('NONE', '1') FROM owner`,
    );
  const { username } = new URL(url);
  await owner.pool.query('REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM PUBLIC');
  await expect(add()).rejects.toMatchObject(DENIED);
  await prepareDatabase({ url, ownerUrl });
  expect((await add()).rowCount).toBe(1);

  await owner.pool.query(`REVOKE USAGE ON SCHEMA public FROM PUBLIC, ${username}`);
  await expect(add()).rejects.toThrow();
  await prepareDatabase({ url, ownerUrl });
  expect((await add()).rowCount).toBe(1);
  await drop();
});

test('15.4 four instances that start at once prepare an empty database, and each can serve', async () => {
  const { url: ownerUrl, drop } = await createEmptyDatabase();
  const url = asService(ownerUrl);
  const prepared = await Promise.all(Array.from({ length: 4 }, () => prepareDatabase({ url, ownerUrl })));
  expect(prepared).toEqual(Array(4).fill({ missingIndexes: [], brokenConstraints: [], servesAsOwner: false }));
  const database = openDatabase({ url });
  expect(await pendingMigrations(database)).toEqual([]);
  await database.close();
  await drop();
});

test('15.6 without an owner the role of the tables migrates as before, and it is told that it may change audit events', async () => {
  const { url, drop } = await createEmptyDatabase();
  expect(await prepareDatabase({ url })).toEqual({ missingIndexes: [], brokenConstraints: [], servesAsOwner: true });
  await drop();
});

test('15.6 without an owner a role without rights starts where nothing is pending, and is told the remedy where something is', async () => {
  expect(await prepareDatabase({ url: migrated.url })).toEqual({
    missingIndexes: [],
    brokenConstraints: [],
    servesAsOwner: false,
  });
  const { url, drop } = await createEmptyDatabase();
  await expect(prepareDatabase({ url: asService(url) })).rejects.toThrow(/permission denied .* DATABASE_OWNER_URL/s);
  await migrate(url);
  await expect(prepareDatabase({ url: asService(url) })).rejects.toThrow(/permission denied .* DATABASE_OWNER_URL/s);
  await drop();
});
