import { accountImportId } from '@causeway/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import { charge } from '../transactions/examples.ts';
import { create, NOW } from './support.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  service.setTime(NOW);
});
afterAll(() => service.stop());

test('4.17.1 an account is created with as many transactions, open and closed, as two imports may have', async () => {
  const supplier = await service.createSupplier();
  const many = (prefix: string, transaction_date: string) =>
    Array.from({ length: 10_000 }, (_, index) => charge(`${prefix}-${index}`, { transaction_date, amount: 0.01 }));
  const { number, answer } = await create(supplier, {
    transactions: many('T', '2026-04-05'),
    historical_transactions: many('H', '2019-04-05'),
    last_statement_balance: '-100.00',
    transfer_balance: '-200.00',
  });
  expect(answer.status).toBe(201);
  const { rows } = await service.database.pool.query(
    `SELECT is_historical, count(*)::integer, sum(amount) FROM transactions WHERE account_import_id = $1
    GROUP BY is_historical ORDER BY is_historical`,
    [accountImportId(supplier.code, number)],
  );
  expect(rows).toEqual([
    { is_historical: false, count: 10_000, sum: '100.00' },
    { is_historical: true, count: 10_000, sum: '100.00' },
  ]);
});
