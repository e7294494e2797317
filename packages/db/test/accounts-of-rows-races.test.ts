import { afterAll, beforeEach, expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { borrowConnection } from '../../testing/src/borrow-connection.ts';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createTestDatabase } from '../../testing/src/create-test-database.ts';
import { fillBook } from './fixtures/fill-book.ts';
import { copyTo, emptyAccounts, findOrphans, removeRows, TABLES_OF_ACCOUNTS } from './fixtures/rows-of-accounts.ts';

// A writer of notes beside one who removes the account, as an undo has to: here nothing keeps it.
let id: string | undefined;
const book = await createTestDatabase();
await fillBook(book.owner.pool, 60);
const ids = await emptyAccounts(book.owner.pool, 20);
await book.owner.pool.query('ALTER TABLE accounts DISABLE TRIGGER accounts_are_kept');
afterAll(() => book.drop());
beforeEach(() => {
  id = ids.pop();
});

const VIOLATION = { code: '23503', constraint: 'notes_account_import_id_fkey' };
const HELD = 7;
const LOCK_ACCOUNT = 'SELECT FROM accounts WHERE account_import_id = $1 FOR UPDATE';
const WRITE = copyTo('notes');
/** The same, but the statement reaches its end, where it looks for the account, only once the lock is released. */
const WRITE_SLOWLY = `${WRITE} WHERE pg_advisory_xact_lock_shared(${HELD}) IS NOT NULL`;

async function begin(isolation = 'READ COMMITTED') {
  const client = await borrowConnection(book.owner.pool);
  await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid, count(*) FROM accounts');
  const untilWaiting = () =>
    expect
      .poll(() =>
        book.owner.pool.query('SELECT pg_blocking_pids($1) AS pids', [rows[0].pid]).then((found) => found.rows[0].pids),
      )
      .not.toEqual([]);
  return Object.assign(client, { untilWaiting });
}

async function remove(client: Awaited<ReturnType<typeof begin>>): Promise<number | null> {
  const { rowCount } = await client.query(LOCK_ACCOUNT, [id]);
  for (const table of [...TABLES_OF_ACCOUNTS, 'accounts']) await client.query(removeRows(table), [[id]]);
  return rowCount;
}

async function stored(): Promise<unknown> {
  expect(await findOrphans(book.owner.pool)).toEqual([]);
  const { rows } = await book.owner.pool.query(
    `SELECT (SELECT count(*)::int FROM accounts WHERE account_import_id = $1) AS accounts,
      (SELECT count(*)::int FROM notes WHERE account_import_id = $1) AS notes`,
    [id],
  );
  return rows[0];
}

test('15.5.4 anyone who locks an account waits for those who wrote to it, and sees what they wrote', async () => {
  using writer = await begin();
  using remover = await begin();
  await writer.query(WRITE, [[id]]);
  const removed = remove(remover);
  await remover.untilWaiting();
  await writer.query('COMMIT');
  expect(await removed).toBe(1);
  await remover.query('COMMIT');
  expect(await stored()).toEqual({ accounts: 0, notes: 0 });
});

test.each([
  ['COMMIT', { accounts: 0, notes: 0 }],
  ['ROLLBACK', { accounts: 1, notes: 1 }],
])('15.5.4 a writer that finds an account being removed waits for the %s', async (end, expected) => {
  using writer = await begin();
  using remover = await begin();
  await remove(remover);
  const written = writer.query(WRITE, [[id]]);
  if (end === 'COMMIT') void written.catch(() => undefined);
  await writer.untilWaiting();
  await remover.query(end);
  if (end === 'COMMIT') await expect(written).rejects.toMatchObject(VIOLATION);
  else expect((await written).rowCount).toBe(1);
  await writer.query('COMMIT');
  expect(await stored()).toEqual(expected);
});

test.each([
  ['before', true],
  ['while', false],
])(
  '15.5.4 a writer whose statement began before an account was removed looks for it at its end, %s the removal commits',
  async (_when, isCommitted) => {
    using holder = await begin();
    await holder.query('SELECT pg_advisory_xact_lock($1)', [HELD]);
    using writer = await begin();
    using remover = await begin();
    const written = writer.query(WRITE_SLOWLY, [[id]]);
    void written.catch(() => undefined);
    await writer.untilWaiting();
    await remove(remover);
    if (isCommitted) await remover.query('COMMIT');
    await holder.query('COMMIT');
    if (!isCommitted) {
      await writer.untilWaiting();
      await remover.query('COMMIT');
    }
    await expect(written).rejects.toMatchObject(VIOLATION);
    expect(await stored()).toEqual({ accounts: 0, notes: 0 });
  },
);

test('15.5.4 of two who remove an account one finds nothing any more', async () => {
  using first = await begin();
  using second = await begin();
  expect(await remove(first)).toBe(1);
  const removed = remove(second);
  await second.untilWaiting();
  await first.query('COMMIT');
  expect(await removed).toBe(0);
  await second.query('COMMIT');
  expect(await stored()).toEqual({ accounts: 0, notes: 0 });
});

test.each(['REPEATABLE READ', 'SERIALIZABLE'])(
  '15.5.4 a writer at %s that sees an account removed since cannot write to it',
  async (isolation) => {
    using writer = await begin(isolation);
    using remover = await begin();
    await remove(remover);
    await remover.query('COMMIT');
    await expect(writer.query(WRITE, [[id]])).rejects.toMatchObject({ code: '40001' });
    expect(await stored()).toEqual({ accounts: 0, notes: 0 });
  },
);

test('15.5.4 writers of one account do not wait for each other, nor for a change of the account', async () => {
  using one = await begin();
  using other = await begin();
  using changer = await begin();
  await one.query(WRITE, [[id]]);
  await other.query(`${WRITE} ON CONFLICT DO NOTHING`.replace('LIMIT 1', 'LIMIT 1 OFFSET 1'), [[id]]);
  await changer.query('UPDATE accounts SET revision = revision + 1 WHERE account_import_id = $1', [id]);
  await Promise.all([one, other, changer].map((client) => client.query('COMMIT')));
  expect(await stored()).toEqual({ accounts: 1, notes: 2 });
});
