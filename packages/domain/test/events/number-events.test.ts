import { CreateImportSupplierRequest } from '@causeway/contracts';
import { createTestDatabase } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createImportSupplier, createOrganisation } from '../../src/index.ts';
import { staffContext } from '../support/staff-context.ts';

const { database, owner, drop } = await createTestDatabase();
afterAll(drop);

const context = staffContext(database);
/** The organisation of each import supplier: the last two belong to one, and their codes begin like that of the other. */
const owners = new Map<string, string>();

const [first, second] = [
  await createOrganisation(context, { name: 'First' }),
  await createOrganisation(context, { name: 'Second' }),
];
beforeAll(async () => {
  for (const [code, { id }] of [
    ['A', first],
    ['A B', second],
    ['A C', second],
  ] as const) {
    const supplier = { code, name: code, organisation_id: id };
    await createImportSupplier(context, CreateImportSupplierRequest.parse(supplier));
    owners.set(code, id);
  }
});

const INSERT = `INSERT INTO events (import_supplier_code, type, data, occurred_at)
  SELECT code, 'account.staged', jsonb_build_object('test', $2::text), now()
  FROM unnest($1::text[]) WITH ORDINALITY AS sent (code, place)
  ORDER BY place`;

async function eventsOf(name: string) {
  const { rows } = await owner.pool.query<{ id: string; organisation_id: string; import_supplier_code: string }>(
    `SELECT id, organisation_id, import_supplier_code FROM events WHERE data->>'test' = $1 ORDER BY id`,
    [name],
  );
  return rows;
}

test('27.2.2 events of several import suppliers in one statement each go to their own organisation, in their order', async () => {
  const codes = ['A', 'A', 'A C', 'A B', 'A B', 'A', 'A C', 'A C', 'A B'];
  await owner.pool.query(INSERT, [codes, 'statement']);
  const events = await eventsOf('statement');
  expect(events.map(({ import_supplier_code }) => import_supplier_code)).toEqual(codes);
  expect(events.map(({ organisation_id }) => organisation_id)).toEqual(codes.map((code) => owners.get(code)));
  expect(new Set(events.map(({ id }) => id)).size).toBe(codes.length);
});

test('27.2.2 a transaction shows readers of each organisation the first number that may be its own', async () => {
  using client = await borrowConnection(owner.pool);
  onTestFinished(() => client.release(true));
  const shown = async () => {
    const { rows } = await database.pool.query<{ locks: number }>(
      `SELECT count(DISTINCT classid)::int AS locks FROM pg_locks
       WHERE locktype = 'advisory' AND objsubid = 2 AND classid IN (
         SELECT hashtext('event order of ' || organisation_id)::oid FROM import_suppliers
       )`,
    );
    return rows[0]?.locks;
  };
  await client.query('BEGIN');
  await client.query(INSERT, [['A B', 'A C', 'A B'], 'transaction']);
  expect(await shown()).toBe(1);
  const { rows: mine } = await client.query<{ first: string }>(
    `SELECT min(id) AS first FROM events WHERE data->>'test' = 'transaction'`,
  );
  const { rows: reader } = await database.pool.query<{ first: string }>('SELECT first_unsettled_event($1) AS first', [
    owners.get('A B'),
  ]);
  expect(reader).toEqual(mine);
  await client.query('SAVEPOINT before');
  await client.query(INSERT, [['A'], 'transaction']);
  expect(await shown()).toBe(2);
  await client.query('ROLLBACK TO SAVEPOINT before');
  expect(await shown()).toBe(1);
  await client.query(INSERT, [['A', 'A C'], 'transaction']);
  expect(await shown()).toBe(2);
  await client.query('COMMIT');
  expect(await shown()).toBe(0);
  // The session's next transaction learns it all anew.
  await client.query('BEGIN');
  await client.query(INSERT, [['A B'], 'transaction']);
  expect(await shown()).toBe(1);
  await client.query('COMMIT');
  const events = await eventsOf('transaction');
  expect(events.map(({ import_supplier_code }) => import_supplier_code)).toEqual([
    'A B',
    'A C',
    'A B',
    'A',
    'A C',
    'A B',
  ]);
  expect(events.map(({ organisation_id }) => organisation_id)).toEqual(
    events.map(({ import_supplier_code }) => owners.get(import_supplier_code)),
  );
});

test('27.1 no event is recorded while events are off', async () => {
  const record = (recorded: boolean) => owner.pool.query('UPDATE event_settings SET is_recorded = $1', [recorded]);
  onTestFinished(async () => void (await record(true)));
  await record(false);
  await owner.pool.query(INSERT, [['A', 'A', 'A C'], 'off']);
  expect(await eventsOf('off')).toEqual([]);
  await record(true);
  await owner.pool.query(INSERT, [['A'], 'off']);
  expect(await eventsOf('off')).toHaveLength(1);
});
