import { afterEach, beforeEach, expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createTestDatabase, type TestDatabase } from '../../testing/src/create-test-database.ts';
import { prepareDatabase } from '../src/index.ts';
import { fillBook } from './fixtures/fill-book.ts';

const INDEX = 'account_imports_completed_at_with_payload_idx';
const WELL_PREPARED = { missingIndexes: [], brokenConstraints: [], servesAsOwner: false };

let book: TestDatabase;
beforeEach(async () => {
  book = await createTestDatabase();
  await fillBook(book.owner.pool, 20);
  await book.owner.pool.query(`DROP INDEX ${INDEX}`);
});
afterEach(() => book.drop());

/** A transaction that has written to an account import; an index is not done before it is over. */
async function writeAndStay() {
  const writer = await book.owner.pool.connect();
  await writer.query('BEGIN');
  await writer.query(`UPDATE account_imports SET times_staged = 7 WHERE state = 'STAGED'`);
  return {
    end: async () => {
      await writer.query('COMMIT');
      writer.release();
    },
  };
}

/** The session that builds, once it waits for the writer. */
async function waitingBuilder(): Promise<number> {
  for (;;) {
    const { rows } = await book.owner.pool.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'causeway-migrate'
        AND wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return rows[0].pid;
  }
}

async function isValid(): Promise<boolean | undefined> {
  const { rows } = await book.owner.pool.query('SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)', [
    INDEX,
  ]);
  return rows[0]?.indisvalid;
}

test('15.4 an index of a book that is in use is built while account imports are written', async () => {
  const writer = await writeAndStay();
  const prepared = prepareDatabase(book);
  await waitingBuilder();
  const others = await book.database.pool.query(
    `UPDATE account_imports SET times_staged = 8 WHERE state = 'COMPLETED'`,
  );
  expect(others.rowCount).toBeGreaterThan(0);
  await writer.end();
  expect(await prepared).toEqual(WELL_PREPARED);
  expect(await isValid()).toBe(true);
});

test('15.4 an index that a start was cut off from is built anew by the next one', async () => {
  const writer = await writeAndStay();
  const cutOff = prepareDatabase(book);
  await book.owner.pool.query('SELECT pg_terminate_backend($1)', [await waitingBuilder()]);
  expect((await cutOff).missingIndexes).toMatchObject([
    { index: INDEX, reason: expect.stringContaining('terminating') },
  ]);
  await writer.end();
  expect(await isValid()).toBe(false);
  expect(await prepareDatabase(book)).toEqual(WELL_PREPARED);
  expect(await isValid()).toBe(true);
});

test('15.4 instances that start at once build an index once, and none is in the way of another', async () => {
  const prepared = await Promise.all(Array.from({ length: 4 }, () => prepareDatabase(book)));
  expect(prepared).toEqual(Array(4).fill(WELL_PREPARED));
  expect(await isValid()).toBe(true);
});

test('15.4 a service starts without an index that cannot be built, and is told why', async () => {
  await book.owner.pool.query(`CREATE VIEW ${INDEX} AS SELECT 1`);
  const { missingIndexes } = await prepareDatabase(book);
  expect(missingIndexes).toEqual([{ index: INDEX, reason: `"${INDEX}" is not an index` }]);
});
