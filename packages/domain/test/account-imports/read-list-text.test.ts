import type { Database } from '@causeway/db';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { type Context, type ListName, readListText } from '../../src/index.ts';
import { createSupplier } from '../support/create-supplier.ts';
import { staffContext } from '../support/staff-context.ts';

const code = 'NORTHWIND';
const COUNT = 16_000;
const request = { import_supplier_code: code, after: 'N-1' };
const { database, drop } = await createTestDatabase();
afterAll(drop);

const context = staffContext(database);
await createSupplier(context, code);
await database.pool.query(
  `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, staging_order, payload,
    staged_at, updated_at, attempts, failed_at, last_error, skipped_at, skip_reason)
  SELECT account_import_id($1, 'N-' || n), $1, 'N-' || n, state, n, '{}', now(), now(), 1,
    CASE state WHEN 'FAILED' THEN now() END, CASE state WHEN 'FAILED' THEN '{}'::jsonb END,
    CASE state WHEN 'SKIPPED' THEN now() END, CASE state WHEN 'SKIPPED' THEN 'Left' END
  FROM generate_series(1, ${COUNT}) AS n,
    LATERAL (SELECT (ARRAY['STAGED', 'FAILED', 'SKIPPED'])[n % 3 + 1]::account_import_state AS state) drawn`,
  [code],
);

/** A database whose statements for a list's text are counted, and fail from the `failsAt`th on. */
function watched({ failsAt = Number.POSITIVE_INFINITY } = {}) {
  const seen = { asked: 0, running: 0, most: 0 };
  const query: Database['query'] = async (statement, values) => {
    if (!statement.name.includes('-text')) return database.query(statement, values);
    seen.asked += 1;
    if (seen.asked >= failsAt) throw new Error('The database has failed');
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    return database.query(statement, values).finally(() => {
      seen.running -= 1;
    });
  };
  return { seen, context: staffContext({ ...database, query }) };
}

function read(context: Context, name: ListName = 'listAccountImports') {
  return readListText(context, { name, form: 'json' }, request);
}

async function numbersIn(texts: AsyncIterable<string>): Promise<string[]> {
  let all = '';
  for await (const text of texts) all += text;
  const records = JSON.parse(`[${all.slice(1)}]`) as { external_account_number: string }[];
  return records.map(({ external_account_number }) => external_account_number);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

test('4.12 reads the whole list behind an account, in its order, over several pages', async () => {
  const all = Array.from({ length: COUNT - 1 }, (_, index) => index + 2);
  expect(await numbersIn(read(staffContext(database)))).toEqual(all.map((n) => `N-${n}`));
  const pending = all.filter((n) => n % 3 !== 2).map((n) => `N-${n}`);
  expect(await numbersIn(read(staffContext(database), 'listPendingImports'))).toEqual(pending);
  expect(await numbersIn(read(staffContext(database), 'listImportedAccounts'))).toEqual([]);
});

test('4.12 a reader that does not read holds no connection, and one page more than it has at most', async () => {
  const { seen, context } = watched();
  const texts = read(context);
  await texts.next();
  await until(() => seen.asked === 2 && seen.running === 0);
  await until(() => database.pool.idleCount === database.pool.totalCount);
  expect(seen.asked).toBe(2);
  expect((await numbersIn(texts)).at(-1)).toBe(`N-${COUNT}`);
});

test('4.12 ten lists read at once use one connection, and each is whole', async () => {
  const { seen, context } = watched();
  const lists = await Promise.all(Array.from({ length: 10 }, () => numbersIn(read(context))));
  expect(lists.map(({ length }) => length)).toEqual(Array(10).fill(COUNT - 1));
  expect(seen.most).toBe(1);
});

test('4.12 a reader that leaves hears nothing of a page that fails behind its back', async () => {
  const { seen, context } = watched({ failsAt: 2 });
  const texts = read(context);
  await texts.next();
  expect(await texts.return()).toEqual({ done: true, value: undefined });
  // An unhandled rejection would fail the run.
  expect(seen.asked).toBe(2);
  await new Promise(setImmediate);
});
