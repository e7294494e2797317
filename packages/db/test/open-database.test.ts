import { afterAll, expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createTestDatabase } from '../../testing/src/create-test-database.ts';
import {
  isConnectionFailure,
  isServerUnable,
  isStatementTimeout,
  isUnavailable,
  isUniqueViolation,
  notWritable,
  openDatabase,
  rawSql,
  sql,
} from '../src/index.ts';

const backend = sql('test_backend', { pid: 'integer' })`SELECT pg_backend_pid() AS pid`;
const addOrganisation = sql('test_add_organisation')`
  INSERT INTO organisations (id, name, created_at)
  VALUES (${'id'}, ${'name'}, ${'created_at'})`;

const testDatabase = await createTestDatabase();

afterAll(() => testDatabase.drop());

async function settings(url: string): Promise<Record<string, string>> {
  const database = openDatabase({ url, statementTimeoutMs: 1234, lockTimeoutMs: 567, idleInTransactionTimeoutMs: 89 });
  const names = [
    'statement_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
    'TimeZone',
    'application_name',
  ];
  const columns = names.map((name) => `current_setting('${name}') AS "${name}"`).join(', ');
  const [row] = await database.query<Record<string, string>, never>(
    sql('test_settings')`SELECT ${rawSql(columns)}`,
    {},
  );
  await database.close();
  return row ?? {};
}

const EXPECTED_SETTINGS = {
  statement_timeout: '1234ms',
  lock_timeout: '567ms',
  idle_in_transaction_session_timeout: '89ms',
  TimeZone: 'UTC',
  application_name: 'causeway',
};

test('15.3 runs every session under the given timeouts and in UTC, also where the URL asks for another time zone', async () => {
  const elsewhere = '?options=-c%20TimeZone%3DAsia/Tokyo%20-c%20work_mem%3D8MB';
  for (const options of ['', elsewhere]) {
    expect(await settings(`${testDatabase.url}${options}`)).toEqual(EXPECTED_SETTINGS);
  }
});

test('15.3 reads exact numbers and dates as strings and instants as Date', async () => {
  const text = `SELECT 9007199254740993::int8 AS big, 100.10::numeric(13, 2) AS amount, ARRAY[100.10::numeric] AS amounts,
    date '2026-03-29' AS day, ARRAY[date '2026-03-29'] AS days, timestamptz '2026-03-29 01:30:00+00' AS instant`;
  expect(await testDatabase.database.query(sql('test_types')`${rawSql(text)}`, {})).toEqual([
    {
      big: '9007199254740993',
      amount: '100.10',
      amounts: ['100.10'],
      day: '2026-03-29',
      days: ['2026-03-29'],
      instant: new Date('2026-03-29T01:30:00Z'),
    },
  ]);
});

test('15.3 names the constraint of a refused write', async () => {
  const { database } = testDatabase;
  const id = '018f0000-0000-7000-8000-000000000001';
  const add = (name: string) => database.query(addOrganisation, { id, name, created_at: new Date(0) });
  await add('Northwind');
  const error = await add('Other').catch((error: unknown) => error);
  expect(isUniqueViolation(error)).toBe(true);
  expect(isUniqueViolation(error, 'organisations_pkey')).toBe(true);
  expect(isUniqueViolation(error, 'organisations_name_key')).toBe(false);
  expect(isConnectionFailure(error)).toBe(false);
});

test('15.3 keeps the connection of a statement that failed', async () => {
  const database = openDatabase({ url: testDatabase.url, poolSize: 1 });
  const before = await database.query(backend, {});
  await expect(database.query(sql('test_division')`SELECT 1 / 0`, {})).rejects.toThrow('division by zero');
  expect(await database.query(backend, {})).toEqual(before);
  await database.close();
});

test('15.3 reports an idle connection that broke and takes another', async () => {
  const errors: Error[] = [];
  const database = openDatabase({ url: testDatabase.url, poolSize: 1, onError: (error) => errors.push(error) });
  const [first] = await database.query(backend, {});
  const removed = new Promise((resolve) => database.pool.once('remove', resolve));
  await testDatabase.database.pool.query('SELECT pg_terminate_backend($1)', [first?.pid]);
  await removed;
  const [second] = await database.query(backend, {});
  expect(second?.pid).not.toBe(first?.pid);
  expect(errors.map(({ message }) => message)).toContain('terminating connection due to administrator command');
  await database.close();
});

test('15.3 survives a connection that breaks while it is checked out and idle', async () => {
  const errors: Error[] = [];
  const database = openDatabase({ url: testDatabase.url, onError: (error) => errors.push(error) });
  const client = await database.pool.connect();
  const { rows } = await client.query<{ pid: number }>(backend.text);
  const ended = new Promise((resolve) => client.once('end', () => resolve(undefined)));
  await testDatabase.database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  client.release();
  expect(errors).not.toEqual([]);
  expect(await database.query(backend, {})).toHaveLength(1);
  await database.close();
});

test('15.3 says that no connection was free in time', async () => {
  // The time is that of making a connection too: the one that is held must come within it on a busy machine.
  const database = openDatabase({ url: testDatabase.url, poolSize: 1, acquireTimeoutMs: 2000 });
  const client = await database.pool.connect();
  const attempts = await Promise.allSettled([database.query(backend, {}), database.transaction(async () => 1)]);
  for (const attempt of attempts) {
    expect(attempt.status === 'rejected' && isConnectionFailure(attempt.reason)).toBe(true);
  }
  client.release();
  await database.close();
});

test('15.3 says that the server cannot be reached', async () => {
  const database = openDatabase({ url: 'postgresql://nobody@127.0.0.1:1/nothing' });
  expect(isConnectionFailure(await database.query(backend, {}).catch((error: unknown) => error))).toBe(true);
  await database.close();
});

test.each([
  ['25006', 'a read-only transaction', true],
  ['28000', 'a login that is refused', true],
  ['3D000', 'a database that is gone', true],
  ['40001', 'a serialisation failure', true],
  ['53000', 'too few resources', true],
  ['53100', 'a full disk', true],
  ['53200', 'too little memory', true],
  ['53300', 'too many connections', true],
  ['57P01', 'a server that stops', true],
  ['57P04', 'a database that was dropped', true],
  ['58030', 'a disk that fails', true],
  ['22P02', 'a value that is none', false],
  ['23505', 'a row that is there already', false],
  ['42P01', 'a table that is missing', false],
  ['XX001', 'damaged data', false],
])('15.3 knows from %s, %s, whether the database is at fault', async (code, _meaning, unavailable) => {
  const { database } = testDatabase;
  const text = `DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`;
  const error = await database.query(sql('test_raise')`${rawSql(text)}`, {}).catch((error: unknown) => error);
  expect(isUnavailable(error)).toBe(unavailable);
});

test('15.3 leaves a session that became read-only for one that is not', async () => {
  const database = openDatabase({ url: testDatabase.ownerUrl, poolSize: 1 });
  const write = sql('test_write')`CREATE TABLE IF NOT EXISTS written (id int)`;
  await database.pool.query('SET default_transaction_read_only = on');
  expect(isServerUnable(await database.query(write, {}).catch((error: unknown) => error))).toBe(true);
  await database.query(write, {});
  await database.pool.query('SET default_transaction_read_only = on');
  const transaction = () => database.transaction((tx) => tx.query(write, {}));
  expect(isServerUnable(await transaction().catch((error: unknown) => error))).toBe(true);
  await transaction();
  await database.pool.query('SET default_transaction_read_only = on');
  expect(await notWritable(database)).toBe('the database is read-only');
  expect(await notWritable(database)).toBeUndefined();
  await database.close();
});

test('15.3 ends a statement that takes too long', async () => {
  const database = openDatabase({ url: testDatabase.url, statementTimeoutMs: 20 });
  const sleep = sql('test_sleep')`SELECT pg_sleep(60)`;
  const error = await database.query(sleep, {}).catch((reason: unknown) => reason);
  expect(isStatementTimeout(error)).toBe(true);
  expect(isConnectionFailure(error)).toBe(false);
  await database.close();
});

test('15.3.1 a statement of a transaction may take longer, if asked for, and the session keeps its own limits', async () => {
  const limits = { statementTimeoutMs: 1_000, transactionStatementTimeoutMs: 60_000 };
  const database = openDatabase({ url: testDatabase.url, poolSize: 1, ...limits });
  const look = sql('test_limits', { statement: 'text', transaction: 'text' })`
    SELECT current_setting('statement_timeout') AS statement, current_setting('transaction_timeout') AS transaction`;
  expect(await database.transaction((tx) => tx.query(look, {}))).toEqual([{ statement: '1min', transaction: '62s' }]);
  expect(await database.query(look, {})).toEqual([{ statement: '1s', transaction: '3s' }]);
  await database.close();
});

test('15.3 never gives two statement texts one name', () => {
  expect(sql('same')`SELECT 1`.name).not.toBe(sql('same')`SELECT 2`.name);
  expect(() => sql('x'.repeat(51))`SELECT 1`).toThrow(RangeError);
});
