import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { CLOSED, create, HISTORY, NOW } from './support.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  service.setTime(NOW);
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

/** Ids, random numbers, how the payload was packed, and what counts the separate calls. */
const OF_CHANCE = ['id', 'account_import_id', 'subject_id', 'service_account_number', 'staging_order', 'request_id'];
const DIFFERENT = [...OF_CHANCE, 'completion_order', 'payload_size', 'external_account_number', 'revision'];

/** Every row of every table about one account, without what differs between any two accounts. */
async function rowsOf(number: string): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await service.database.pool.query<{ name: string; account: string }>(
    `SELECT table_name AS name, column_name AS account FROM information_schema.columns
    WHERE table_schema = 'public' AND (column_name IN ('account_import_id', 'subject_id')
      OR (table_name, column_name) = ('account_imports', 'id')) AND table_name <> 'idempotency_keys'`,
  );
  const found: Record<string, unknown[]> = {};
  for (const { name, account } of tables) {
    const { rows } = await service.database.pool.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(record) - $1::text[] AS row FROM ${name} AS record
      WHERE ${account} = (SELECT id FROM account_imports WHERE external_account_number = $2)
      ORDER BY length(to_jsonb(record)->>'id'), to_jsonb(record)->>'id', record::text`,
      [DIFFERENT, number],
    );
    found[name] = rows.map(({ row }) => withoutNumber(name, row));
  }
  return found;
}

function withoutNumber(table: string, row: Record<string, unknown>) {
  if (table === 'account_imports') return { ...row, payload: undefined };
  const { detail } = row;
  return row.action === 'processed' ? { ...row, detail: Object.keys(Object(detail)) } : row;
}

test('4.17.3 an account with its history has the rows and the audit events that the seven calls leave', async () => {
  const { number, answer } = await create(supplier, HISTORY);
  expect(answer.status).toBe(201);
  const { externalAccountNumber, reference } = await supplier.importAccount();
  const { notes, transactions, statements, payment_instruction } = HISTORY;
  for (const [path, content] of Object.entries({
    'notes/create/': { notes },
    'transactions/create/': { transactions },
    'historical-statements/create/': { statements },
    'payment-instruction/create/': payment_instruction,
  })) {
    expect((await supplier.post(path, { ...reference, ...content })).status).toBe(201);
  }
  const bundle = await rowsOf(number);
  expect(bundle).toEqual(await rowsOf(externalAccountNumber));
  expect(Object.keys(bundle)).toContain('customers');
  expect(bundle).toMatchObject({ notes: { length: 4 }, transactions: { length: 7 }, statements: { length: 2 } });
  expect(bundle.payment_instructions).toMatchObject([{ reference: 'pm_ok_1', details: { country: 'GB' } }]);
});

test('4.17.3 the rows are the same whether or not the accounts of the supplier were expected to carry a history', async () => {
  const another = await service.createSupplier();
  const account = { ...HISTORY, historical_transactions: CLOSED, payment_instruction: undefined };
  const [unexpected, expected] = [await create(another, account), await create(another, account)];
  const rows = await rowsOf(expected.number);
  expect(rows).toEqual(await rowsOf(unexpected.number));
  expect(rows).toMatchObject({ notes: { length: 4 }, transactions: { length: 9 }, statements: { length: 2 } });
});

test('4.17.4 closed history is stored with the dates that were sent, beside the open transactions', async () => {
  const { number, answer } = await create(supplier, { ...HISTORY, historical_transactions: CLOSED });
  expect(answer.status).toBe(201);
  const { transactions = [], audit_events } = await rowsOf(number);
  const closed = transactions.filter((row) => Object(row).is_historical);
  expect(closed).toMatchObject([
    { transaction_id: 'H-1', transaction_date: '2019-05-01', original_transaction_date: null, description: null },
    { transaction_id: 'H-2', transaction_date: '2026-02-28', original_transaction_date: null, description: null },
  ]);
  expect(transactions).toHaveLength(7 + closed.length);
  const detail = { transactions: 7, historical_transactions: 2 };
  expect(audit_events).toContainEqual(expect.objectContaining({ action: 'transactions_imported', detail }));
});
