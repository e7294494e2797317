import { afterAll, expect, test } from 'vitest';
// @boundaries-ignore a dependency on testing would close a circle of packages
import { createTestDatabase } from '../../testing/src/create-test-database.ts';
import { validateConstraints } from '../src/migrations/validate-constraints.ts';
import { fillBook } from './fixtures/fill-book.ts';

const migrated = await createTestDatabase();
await fillBook(migrated.owner.pool, 10);
afterAll(() => migrated.drop());

/** A book whose constraint a migration has just added: its rows may be older. */
async function bookBefore(constraints: Record<string, string>, change = 'SELECT') {
  const book = await createTestDatabase();
  const ask = async (text: string) => (await book.owner.pool.query(text)).rows;
  await fillBook(book.owner.pool, 20);
  const definitions = await ask(`SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint`);
  const definitionOf = (name: string) => definitions.find(({ conname }) => conname === name).definition;
  const eachConstraint = async (textOf: (name: string) => string) => {
    for (const [name, table] of Object.entries(constraints)) await ask(`ALTER TABLE ${table} ${textOf(name)}`);
  };
  await eachConstraint((name) => `DROP CONSTRAINT ${name}`);
  const changed = await ask(change);
  await eachConstraint((name) => `ADD CONSTRAINT ${name} ${definitionOf(name)} NOT VALID`);
  return { ...book, ask, changed };
}

test('15.5 old rows that break a constraint are counted and named by their keys, and it holds for what is written', async () => {
  const constraints = { accounts_operations_team_id_fkey: 'accounts', transactions_type_check: 'transactions' };
  const { ownerUrl, ask, changed, drop } = await bookBefore(
    constraints,
    `WITH stray AS (
      UPDATE accounts SET operations_team_id = gen_random_uuid()
      WHERE account_import_id = (SELECT account_import_id FROM accounts LIMIT 1)
    )
    UPDATE transactions SET amount = -amount WHERE type = 'REPAYMENT' RETURNING account_import_id, id::int`,
  );
  const found = await validateConstraints(ownerUrl);
  expect(found).toEqual([
    { constraint: 'accounts_operations_team_id_fkey', table: 'accounts', count: 1, keys: [expect.any(String)] },
    { constraint: 'transactions_type_check', table: 'transactions', count: changed.length, keys: expect.any(Array) },
  ]);
  expect(found[1]?.keys).toHaveLength(5);
  const keys = changed.map(({ account_import_id, id }) => JSON.stringify({ account_import_id, id }));
  for (const key of found[1]?.keys ?? []) expect(keys).toContain(JSON.stringify(JSON.parse(key)));
  await expect(
    ask(`INSERT INTO transactions
    SELECT (jsonb_populate_record(t, '{"amount": -1}')).* FROM transactions t WHERE type = 'REPAYMENT' LIMIT 1`),
  ).rejects.toThrow('transactions_type_check');

  await ask(`UPDATE transactions SET amount = -amount WHERE type = 'REPAYMENT' AND amount < 0`);
  expect((await validateConstraints(ownerUrl)).map(({ constraint }) => constraint)).toEqual([
    'accounts_operations_team_id_fkey',
  ]);
  await drop();
});

test('15.5 an account import is written and read while a constraint of its table is validated', async () => {
  const { owner, ask, drop } = await bookBefore({ account_imports_id_check: 'account_imports' });
  const client = await owner.pool.connect();
  await client.query('BEGIN');
  await client.query('ALTER TABLE account_imports VALIDATE CONSTRAINT account_imports_id_check');
  await ask('UPDATE account_imports SET times_staged = times_staged + 1');
  expect(await ask('SELECT count(*)::int AS count FROM account_imports WHERE times_staged > 1')).toEqual([
    { count: 20 },
  ]);
  await client.query('COMMIT');
  client.release();
  await drop();
});

/** What must never be stored, each as a change of one good row. */
const FORBIDDEN: [table: string, change: string, constraint: string][] = [
  ['transactions', `amount = -0.01 WHERE type = 'REPAYMENT'`, 'transactions_type_check'],
  ['transactions', `amount = 'NaN'`, 'transactions_type_check'],
  ['statements', `status = 'PAID'`, 'statements_status_check'],
  ['statements', `tax_amount = 'NaN'`, 'statements_net_and_tax_check'],
  ['transactions', `type = 'GIFT'`, 'transactions_type_check'],
  ['transactions', `reason = NULL WHERE type = 'CHARGE'`, 'transactions_type_check'],
  ['transactions', `line_items = NULL WHERE type = 'SUPPLY_CHARGE'`, 'transactions_type_check'],
  ['transactions', 'original_transaction_date = transaction_date - 1', 'transactions_moved_date_check'],
  ['account_imports', `state = 'COMPLETED' WHERE state = 'STAGED'`, 'account_imports_state_check'],
  ['account_imports', `state = 'STAGED' WHERE state = 'COMPLETED'`, 'account_imports_state_check'],
  ['account_imports', `skip_reason = NULL WHERE state = 'SKIPPED'`, 'account_imports_state_check'],
  ['account_imports', `skipped_at = now() WHERE state = 'STAGED'`, 'account_imports_state_check'],
  ['account_imports', `last_error = NULL WHERE state = 'FAILED'`, 'account_imports_state_check'],
  ['account_imports', `failed_at = now() WHERE state = 'STAGED'`, 'account_imports_state_check'],
  ['account_imports', `service_account_number = 'A-00000000' WHERE state = 'STAGED'`, 'account_imports_state_check'],
  ['account_imports', `external_account_number = 'another'`, 'account_imports_id_check'],
  ['accounts', 'open_statement_from = last_billed_to_date', 'accounts_open_statement_from_check'],
  ['accounts', `transfer_balance = 'NaN'`, 'accounts_transfer_balance_check'],
  ['accounts', 'operations_team_id = gen_random_uuid()', 'accounts_operations_team_id_fkey'],
  ['notes', `body = NULL, document_paths = '{}'`, 'notes_body_or_document_check'],
  ['notes', `document_paths = '{a.pdf,//etc/passwd}'`, 'notes_document_paths_check'],
  ['notes', `document_paths = '{a/../b.pdf}'`, 'notes_document_paths_check'],
  ['notes', `document_paths = ARRAY[E'a\\nb']`, 'notes_document_paths_check'],
  ['notes', `document_paths = ARRAY['a', NULL]`, 'notes_document_paths_check'],
  ['statements', 'bill_period_to_date = bill_period_from_date - 1', 'statements_bill_period_check'],
  ['statements', `statement_path = 'https://example.com/a.pdf'`, 'statements_statement_path_check'],
  ['statements', `statement_path = 'a//b.pdf'`, 'statements_statement_path_check'],
  ['statements', `statement_path = 'a\\b.pdf'`, 'statements_statement_path_check'],
  ['statements', `statement_path = 'a%2Fb.pdf'`, 'statements_statement_path_check'],
  ['statements', `statement_path = ''`, 'statements_statement_path_check'],
  ['statements', `gross_amount = 'NaN'`, 'statements_gross_amount_check'],
  ['import_suppliers', `country = 'gb'`, 'import_suppliers_country_check'],
  ['import_suppliers', 'process_concurrency_limit = 0', 'import_suppliers_process_concurrency_limit_check'],
  ['import_suppliers', `document_root = '../other'`, 'import_suppliers_document_root_check'],
  ['import_suppliers', `document_root = '/other'`, 'import_suppliers_document_root_slash_check'],
  ['import_suppliers', `code = 'NW  1' WHERE code = 'NW-1'`, 'import_suppliers_code_check'],
  ['import_suppliers', `code = 'NW 1 ' WHERE code = 'NW-1'`, 'import_suppliers_code_check'],
  ['import_suppliers', `code = repeat('N', 65) WHERE code = 'NW-1'`, 'import_suppliers_code_check'],
  ['payment_schedules', 'end_date = start_date - 1', 'payment_schedules_period_check'],
  ['payment_schedules', 'day_of_month = 32', 'payment_schedules_values_check'],
  ['supply_addresses', `customer_at_supply_address_to_date = '1900-01-01'`, 'supply_addresses_period_check'],
  ['supply_addresses', 'supply_address1 = NULL', 'supply_addresses_style_check'],
];

test.each(FORBIDDEN)('15.5 the database refuses to set in %s: %s', async (table, change, constraint) => {
  const { pool } = migrated.owner;
  await expect(pool.query(`UPDATE ${table} SET ${change}`)).rejects.toMatchObject({ constraint });
});

test('15.5 4.7.3 the database refuses a second payment instruction of a type, and takes one of another', async () => {
  const { pool } = migrated.owner;
  const copy = (type: string) => `INSERT INTO payment_instructions
    SELECT (jsonb_populate_record(one, jsonb_build_object('type', ${type}))).* FROM payment_instructions one LIMIT 1`;
  await expect(pool.query(copy('type'))).rejects.toMatchObject({ constraint: 'payment_instructions_type_key' });
  expect((await pool.query(copy("'ANOTHER'"))).rowCount).toBe(1);
});

test('15.5 every table has a key by which logical replication finds its rows', async () => {
  const { rows } = await migrated.owner.pool.query(
    `SELECT relname FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT EXISTS (
      SELECT FROM pg_index
      WHERE indrelid = pg_class.oid AND CASE relreplident WHEN 'd' THEN indisprimary WHEN 'i' THEN indisreplident END
    )`,
  );
  expect(rows).toEqual([]);
});

test("15.5 the database refuses a second row of a supplier's account number, under whatever id", async () => {
  const copy = (id: string) => `INSERT INTO account_imports
    SELECT (jsonb_populate_record(import, jsonb_build_object('id', ${id}))).* FROM account_imports import LIMIT 1`;
  await expect(migrated.owner.pool.query(copy('id'))).rejects.toMatchObject({ constraint: 'account_imports_pkey' });
  await expect(migrated.owner.pool.query(copy('gen_random_uuid()'))).rejects.toMatchObject({
    constraint: 'account_imports_id_check',
  });
});

test('15.5 the database refuses an account import of a supplier that does not exist, and to lose one that has some', async () => {
  const unknown = `INSERT INTO account_imports
    SELECT (jsonb_populate_record(import, jsonb_build_object('id', account_import_id('NONE', external_account_number),
      'import_supplier_code', 'NONE'))).* FROM account_imports import LIMIT 1`;
  const constraint = 'account_imports_import_supplier_code_fkey';
  await expect(migrated.owner.pool.query(unknown)).rejects.toMatchObject({ constraint });
  await expect(migrated.owner.pool.query('DELETE FROM import_suppliers')).rejects.toMatchObject({ constraint });
});

test('14.8.3 the serial number of a prepayment meter is erased with the texts of version 0.1.0, which does not know it', async () => {
  const { pool } = migrated.owner;
  await pool.query(`UPDATE transactions SET supply_point_identifier = 'S', to_prepay_meter_serial_number = 'M'`);
  await pool.query('UPDATE transactions SET note = NULL, supply_point_identifier = NULL');
  const { rows } = await pool.query('SELECT DISTINCT to_prepay_meter_serial_number FROM transactions');
  expect(rows).toEqual([{ to_prepay_meter_serial_number: null }]);
});

test('14.8.3 what was superseded is erased with its account by version 0.1.0, which does not know it', async () => {
  const { pool } = migrated.owner;
  await pool.query(`INSERT INTO superseded_payment_instructions
      (account_import_id, vendor, reference, type, details, created_at, superseded_at)
    SELECT account_import_id, vendor, reference, type, '{"last4": "4242"}', now(), now() FROM payment_instructions`);
  await pool.query(`UPDATE account_imports SET erased_at = now(), payload = NULL, payload_removed_at = now()
    WHERE state = 'COMPLETED'`);
  const { rows } = await pool.query(`SELECT DISTINCT reference, details FROM superseded_payment_instructions`);
  expect(rows).toEqual([{ reference: '[erased]', details: {} }]);
});
