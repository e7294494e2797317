import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createTestDatabase } from '../../testing/src/create-test-database.ts';
import { schemaDifference } from '../src/migrations/schema-difference.ts';
import { fillBook } from './fixtures/fill-book.ts';
import { CHECKED_TABLES, copyTo, emptyAccounts, findOrphans } from './fixtures/rows-of-accounts.ts';

const UNKNOWN = randomUUID();
const SOME_ROW = 'ctid = (SELECT min(ctid) FROM';

let known: string[];
let spare: string | undefined;
const book = await createTestDatabase();
await fillBook(book.owner.pool, 40);
[spare, ...known] = await emptyAccounts(book.owner.pool, 3);
afterAll(() => book.drop());

/** The error of PostgreSQL's own foreign keys. */
const violation = (table: string) => ({
  code: '23503',
  message: `insert or update on table "${table}" violates foreign key constraint "${table}_account_import_id_fkey"`,
  schema: 'public',
  table,
  constraint: `${table}_account_import_id_fkey`,
  detail: `Key (account_import_id)=(${UNKNOWN}) is not present in table "accounts".`,
});

test.each(CHECKED_TABLES)('15.5.3 no row of %s is added without its account, one by one or many', async (table) => {
  const { pool } = book.database;
  await expect(pool.query(copyTo(table), [[UNKNOWN]])).rejects.toMatchObject(violation(table));
  const many = [...known, UNKNOWN];
  await expect(pool.query(copyTo(table), [many])).rejects.toMatchObject(violation(table));
  await expect(pool.query(copyTo(table), [many.toReversed()])).rejects.toMatchObject(violation(table));
  expect((await pool.query(copyTo(table), [known])).rowCount).toBe(known.length);
  expect((await pool.query(copyTo(table), [[]])).rowCount).toBe(0);
});

test.each(CHECKED_TABLES)('15.5.3 no row of %s is given to an account that does not exist', async (table) => {
  const { pool } = book.owner;
  const change = `UPDATE ${table} SET account_import_id = $1 WHERE ${SOME_ROW} ${table})`;
  await expect(pool.query(change, [UNKNOWN])).rejects.toMatchObject(violation(table));
  const upsert = (id: string) => `INSERT INTO ${table} SELECT * FROM ${table} WHERE ${SOME_ROW} ${table})
    ON CONFLICT ON CONSTRAINT ${table}_pkey DO UPDATE SET account_import_id = '${id}'`;
  await expect(pool.query(upsert(UNKNOWN))).rejects.toMatchObject(violation(table));
  const added = `${copyTo(table)} ON CONFLICT ON CONSTRAINT ${table}_pkey DO UPDATE SET account_import_id = $2`;
  await expect(pool.query(added, [[UNKNOWN], known[0]])).rejects.toMatchObject(violation(table));
});

test('15.5.3 a row that comes by COPY has its account', async () => {
  const copy = (id: string) => copyNotes(book.url, `${id}\tx\t{}\t2026-01-01\tfalse\n`);
  await expect(copy(UNKNOWN)).rejects.toMatchObject(violation('notes'));
  await expect(copy(known[0] ?? '')).resolves.toBeUndefined();
});

/** COPY ... FROM STDIN, which pg leaves to others: it passes each message of the connection to the active query. */
async function copyNotes(url: string, rows: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const text = 'COPY notes (account_import_id, body, document_paths, created_at, is_pinned) FROM STDIN';
    const submittable = {
      submit: (connection: { query(text: string): void }) => connection.query(text),
      handleCopyInResponse(connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }) {
        connection.sendCopyFromChunk(Buffer.from(rows));
        connection.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(),
      handleError: reject,
    };
    client.query(submittable as unknown as pg.Submittable);
    await promise;
  } finally {
    await client.end();
  }
}

test.each([
  'DELETE FROM accounts',
  'DELETE FROM accounts WHERE false',
  'UPDATE accounts SET account_import_id = gen_random_uuid()',
  'TRUNCATE accounts CASCADE',
  'TRUNCATE account_imports CASCADE',
  'MERGE INTO accounts USING organisations ON true WHEN MATCHED THEN DELETE',
])('15.5.3 an account is never removed, nor its key changed, not even by the owner: %s', async (text) => {
  await expect(book.owner.pool.query(text)).rejects.toMatchObject({
    ...{ code: '23001', table: 'accounts', constraint: 'accounts_are_kept' },
    message: 'accounts are never removed, and their keys never change',
  });
});

test('15.5.3 the removal of an account is refused at once, beside writers that hold it and those that come', async () => {
  const { pool } = book.owner;
  const [id] = known;
  const insert = `INSERT INTO notes (account_import_id, body, document_paths, created_at, is_pinned)
    VALUES ($1, 'x', '{}', now(), false)`;
  const [writer, remover] = [await pool.connect(), await pool.connect()];
  try {
    for (const client of [writer, remover]) await client.query('BEGIN');
    await writer.query(insert, [id]);
    const removal = remover.query('DELETE FROM accounts WHERE account_import_id = $1', [id]);
    await expect(removal).rejects.toMatchObject({ code: '23001' });
    await pool.query(insert, [id]);
    await writer.query('COMMIT');
  } finally {
    for (const client of [writer, remover]) client.release(true);
  }
  expect(await findOrphans(pool)).toEqual([]);
});

test('15.5.3 neither a temporary table nor a search path deceives the check, as in a restore of data alone', async () => {
  const client = await book.owner.pool.connect();
  try {
    await client.query(`CREATE TEMP TABLE accounts AS SELECT '${UNKNOWN}'::uuid AS account_import_id`);
    await expect(client.query(copyTo('notes'), [[UNKNOWN]])).rejects.toMatchObject(violation('notes'));
    await client.query(`SET search_path = ''`);
    const qualified = copyTo('public.notes');
    await expect(client.query(qualified, [[UNKNOWN]])).rejects.toMatchObject(violation('notes'));
    expect((await client.query(qualified, [[spare]])).rowCount).toBe(1);
  } finally {
    client.release(true);
  }
});

test('15.5.3 where keys are not checked, as on a subscriber, the query of the manual finds the rows; they can be erased', async () => {
  expect(await findOrphans(book.owner.pool)).toEqual([]);
  await using subscriber = await createTestDatabase().then((made) => ({ ...made, [Symbol.asyncDispose]: made.drop }));
  const { pool } = subscriber.owner;
  await fillBook(pool, 40);
  const client = await pool.connect();
  await client.query(`SET session_replication_role = replica`);
  for (const table of CHECKED_TABLES) await client.query(copyTo(table), [[UNKNOWN]]);
  client.release(true);
  const found = CHECKED_TABLES.toSorted().map((child) => ({ child, account_import_id: UNKNOWN, rows: '1' }));
  expect(await findOrphans(pool)).toEqual(found);
  const erased = `UPDATE notes SET body = '' WHERE account_import_id = $1`;
  expect((await subscriber.database.pool.query(erased, [UNKNOWN])).rowCount).toBe(1);
});

test('15.4.2 the keys that triggers hold are part of the schema, by their names', async () => {
  await using drifted = await createTestDatabase().then((made) => ({ ...made, [Symbol.asyncDispose]: made.drop }));
  const nameOf = (table: string) => `"${table}_account_import_id_fkey"`;
  const change = async (to: (key: string) => string) => {
    for (const table of CHECKED_TABLES) await drifted.owner.pool.query(`ALTER TABLE ${table} ${to(nameOf(table))}`);
    return schemaDifference(drifted.ownerUrl);
  };
  const disabled = await change((key) => `DISABLE TRIGGER ${key}`);
  for (const table of CHECKED_TABLES)
    expect(disabled).toContain(`ALTER TABLE "${table}" ADD CONSTRAINT ${nameOf(table)} FOREIGN KEY`);
  expect(await change((key) => `ENABLE TRIGGER ${key}`)).toBeUndefined();
  await drifted.owner.pool.query('ALTER TRIGGER notes_account_import_id_fkey_of_update ON notes RENAME TO another');
  expect(await schemaDifference(drifted.ownerUrl)).toMatch(/^-- AddForeignKey\nALTER TABLE "notes" .*;$/);
});
