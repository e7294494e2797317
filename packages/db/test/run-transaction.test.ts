import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createEmptyDatabase } from '../../testing/src/create-test-database.ts';
import { databaseWithin, isConnectionFailure, isRolledBack, openDatabase, type Queryable, sql } from '../src/index.ts';

const addToRow = sql('test_add_to_row')`UPDATE counters SET value = value + 1 WHERE id = ${'id'}`;
const values = sql('test_values', { value: 'integer' })`SELECT value FROM counters ORDER BY id`;
const failTwice = sql('test_fail_twice')`SELECT fail_until(3)`;
const breakConnection = sql('test_break_connection')`SELECT break_connection()`;
const attempts = sql('test_attempts', { attempts: 'integer' })`SELECT last_value::int AS attempts FROM attempts`;

const SCHEMA = `
  CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL);
  -- A sequence keeps its value through a rollback: it counts the attempts.
  CREATE SEQUENCE attempts MINVALUE 0 START 0;
  CREATE FUNCTION fail_until(wanted int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('attempts') < wanted THEN RAISE EXCEPTION 'try again' USING ERRCODE = '40001'; END IF; END $$;
  CREATE FUNCTION break_connection() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    PERFORM nextval('attempts'); PERFORM pg_terminate_backend(pg_backend_pid()); END $$;
  CREATE TABLE breaks_at_commit (id int);
  CREATE FUNCTION break_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM break_connection(); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER break_at_commit AFTER INSERT ON breaks_at_commit
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION break_at_commit();
`;

const testDatabase = await createEmptyDatabase();
const { database } = testDatabase;
await database.pool.query(SCHEMA);

beforeEach(() =>
  database.pool.query(`TRUNCATE counters; INSERT INTO counters VALUES (1, 0), (2, 0); SELECT setval('attempts', 0)`),
);

afterAll(() => testDatabase.drop());

const caught = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((error: unknown) => error);

async function counted(): Promise<number[]> {
  return (await database.query(values, {})).map((row) => row.value);
}

async function attempted(): Promise<number> {
  return (await database.query(attempts, {}))[0]?.attempts ?? 0;
}

test('15.2 commits all statements of a transaction and gives back its result', async () => {
  const result = await database.transaction(async (tx) => {
    await tx.query(addToRow, { id: 1 });
    await tx.query(addToRow, { id: 2 });
    return 'done';
  });
  expect(result).toBe('done');
  expect(await counted()).toEqual([1, 1]);
});

test('15.2 undoes a transaction whose work fails, and does not repeat it', async () => {
  let runs = 0;
  const failing = database.transaction(async (tx) => {
    runs += 1;
    await tx.query(addToRow, { id: 1 });
    throw new Error('a rule was broken');
  });
  await expect(failing).rejects.toThrow('a rule was broken');
  expect(runs).toBe(1);
  expect(await counted()).toEqual([0, 0]);
});

test('15.2 repeats the loser of a deadlock, so that both transactions take effect', async () => {
  const bothHoldTheirFirst = Promise.withResolvers<void>();
  let holding = 0;
  let runs = 0;
  const crossing = (first: number, second: number) => async (tx: Queryable) => {
    runs += 1;
    await tx.query(addToRow, { id: first });
    holding += 1;
    if (holding === 2) bothHoldTheirFirst.resolve();
    await bothHoldTheirFirst.promise;
    await tx.query(addToRow, { id: second });
  };
  await Promise.all([database.transaction(crossing(1, 2)), database.transaction(crossing(2, 1))]);
  expect(runs).toBeGreaterThan(2);
  expect(await counted()).toEqual([2, 2]);
});

test('15.2 repeats a transaction whose connection was lost before COMMIT', async () => {
  let runs = 0;
  await database.transaction(async (tx) => {
    runs += 1;
    await tx.query(addToRow, { id: 1 });
    if (runs < 3) await tx.query(breakConnection, {});
  });
  expect(runs).toBe(3);
  expect(await counted()).toEqual([1, 0]);
});

test('15.2 never repeats a transaction whose COMMIT was sent and not answered', async () => {
  const add = sql('test_add_breaking')`INSERT INTO breaks_at_commit VALUES (1)`;
  const error = await caught(database.transaction((tx) => tx.query(add, {})));
  expect(isConnectionFailure(error)).toBe(true);
  expect(await attempted()).toBe(1);
});

test('15.2 gives up a transaction after five attempts', async () => {
  const never = sql('test_never')`SELECT fail_until(100)`;
  const error = await caught(database.transaction((tx) => tx.query(never, {})));
  expect(isRolledBack(error)).toBe(true);
  expect(await attempted()).toBe(5);
});

test('15.2 fails a transaction whose work swallowed the error of a statement', async () => {
  const division = sql('test_swallowed')`SELECT 1 / 0`;
  const swallowing = database.transaction(async (tx) => {
    await tx.query(addToRow, { id: 1 });
    await caught(tx.query(division, {}));
  });
  await expect(swallowing).rejects.toThrow('rolled back');
  expect(await counted()).toEqual([0, 0]);
});

test('15.2 refuses a statement of a transaction that is over', async () => {
  const leaked = await database.transaction(async (tx) => tx);
  await expect(leaked.query(addToRow, { id: 1 })).rejects.toThrow('The transaction is over');
  expect(await counted()).toEqual([0, 0]);
});

test('15.2 repeats a single statement that was rolled back for no fault of its own', async () => {
  await database.query(failTwice, {});
  expect(await attempted()).toBe(3);
});

test('15.2 never repeats a single statement whose connection was lost', async () => {
  const error = await caught(database.query(breakConnection, {}));
  expect(isConnectionFailure(error)).toBe(true);
  expect(await attempted()).toBe(1);
});

test('15.2 leaves no connection checked out after failures', async () => {
  await caught(database.query(breakConnection, {}));
  await caught(database.transaction((tx) => tx.query(sql('test_unknown')`SELECT nothing`, {})));
  expect(database.pool.totalCount - database.pool.idleCount).toBe(0);
});

test('15.2 tries again for a connection that could not be had, since nothing was sent', async () => {
  const { hostname, port } = new URL(testDatabase.url);
  let refused = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (refused < 2) {
      refused += 1;
      socket.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    upstream.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = new URL(testDatabase.url);
  address.port = String((server.address() as AddressInfo).port);
  const unsteady = openDatabase({ url: address.href });
  await unsteady.query(addToRow, { id: 1 });
  await unsteady.close();
  server.close();
  expect(refused).toBe(2);
  expect(await counted()).toEqual([1, 0]);
});

test('15.2.1 a transaction inside another one that is inside a third rolls back its own work, and each of the others', async () => {
  const failure = new Error('rolled back');
  const undone = database.transaction(async (transaction) => {
    const within = databaseWithin(database, transaction);
    const middle = within.transaction(async () => {
      await within.query(addToRow, { id: 1 });
      const inner = within.transaction(async () => {
        await within.query(addToRow, { id: 2 });
        throw failure;
      });
      await expect(inner).rejects.toBe(failure);
      throw failure;
    });
    await expect(middle).rejects.toBe(failure);
  });
  await undone;
  expect(await database.query(values, {})).toEqual([{ value: 0 }, { value: 0 }]);
});
