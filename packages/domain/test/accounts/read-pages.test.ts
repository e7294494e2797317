import { AccountPayload } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { createRandom, createTestDatabase } from '@causeway/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { READ_NOTES } from '../../src/accounts/read-pages.sql.ts';
import { getAccount, listAccountNotes, stageAccount } from '../../src/index.ts';
import { accountKey } from '../../src/shared/derived-id.ts';
import { createSupplier } from '../support/create-supplier.ts';
import { staffContext } from '../support/staff-context.ts';

const { database, owner, drop } = await createTestDatabase();
afterAll(drop);
const context = staffContext(database);

/** Together more than ten times a page. */
const NOTES = 100;
const NOTE_CHARACTERS = 40_000;

const random = createRandom(1);
const account = { import_supplier_code: 'NORTHWIND', external_account_number: 'ACC-1' };
const key = accountKey('NORTHWIND', 'ACC-1');

await createSupplier(context, 'NORTHWIND');
const payload = {
  import_supplier: 'NORTHWIND',
  external_account_number: 'ACC-1',
  customers: [{ family_name: 'Hartley' }],
  additional_data: { noise: Array.from({ length: 3_000 }, random.next) },
};
await stageAccount(context, AccountPayload.parse(payload));
await insertNotes(key.id);

test('4.16.3 a page of large records reads none of them but its own, however many it was asked for', async () => {
  const long = await blocksOf({ ...key, after: 0, limit: 1_000 });
  const short = await blocksOf({ ...key, after: 0, limit: 7 });
  expect(long).toBeLessThan(2 * short);
});

describe.each([
  ['a page', listAccountNotes, ['turn']],
  ['an account', getAccount, ['turn', 'turn']],
] as const)('%s with large data', (_name, read, turns) => {
  test('11.5.1 waits for its turn when its data and the view are in the database, and for nothing then', async () => {
    const events: string[] = [];
    const query: Database['query'] = (...asked) => {
      events.push('query');
      return database.query(...asked);
    };
    const waitForTurn = async () => {
      events.push('turn');
    };
    const countAsLarge = async () => {
      events.push('large');
    };
    await read({ ...context, database: { ...database, query }, waitForTurn, countAsLarge }, account);
    expect(events.filter((event) => event !== 'query')).toEqual(['large', ...turns]);
    expect(events.slice(-turns.length)).toEqual(turns);
  });
});

/** Noise, which is stored as large as it is; the account itself need not be there. */
async function insertNotes(accountImportId: string): Promise<void> {
  await owner.pool.query(`
    BEGIN;
    SET LOCAL session_replication_role = replica;
    INSERT INTO notes (account_import_id, body, document_paths, created_at, is_pinned)
    SELECT '${accountImportId}', (
      SELECT left(string_agg(md5(part::text || '-' || number), ''), ${NOTE_CHARACTERS}) FROM generate_series(1, 1250) AS part
    ), '{}', now(), false
    FROM generate_series(1, ${NOTES}) AS number;
    COMMIT`);
}

/** How many blocks of the database's files the statement reads. */
async function blocksOf(values: Record<string, unknown>): Promise<number> {
  const { rows } = await owner.pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${READ_NOTES.text}`,
    READ_NOTES.parameters.map((name) => values[name]),
  );
  const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  return hit + read;
}
