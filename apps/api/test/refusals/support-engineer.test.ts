import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import { TRANSACTIONS } from './refused-calls.ts';

const service = await startTestService();
afterAll(() => service.stop());

test('4.15.7 a support engineer finds out why HV-400341 exists without its transactions', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const external_account_number = 'HV-400341';
  const { reference } = await supplier.importAccount({ external_account_number });
  const transactions = Array.from({ length: 24 }, (_, index) => ({
    transaction_id: `T-${index}`,
    transaction_date: '2026-01-15',
    type: 'CHARGE',
    amount: 12.5,
  }));
  expect((await supplier.post(TRANSACTIONS, { ...reference, transactions })).status).toBe(400);

  const { counts } = await service.staff.importSuppliers.get.query({ code });
  expect(counts).toMatchObject({ completed: 1, complete: 0 });
  const [incomplete] = await service.staff.accountImports.list.query({ code, complete: false });
  expect(incomplete).toMatchObject({ external_account_number, state: 'COMPLETED' });
  const { refusals } = await service.staff.accountImports.get.query({ code, external_account_number });
  expect(refusals).toMatchObject([{ operation: 'transactions', code: 'request_failed_validation', times: 1 }]);
  expect(refusals[0]?.errors).toHaveLength(24);
  expect(refusals[0]?.errors[23]).toEqual({ code: 'required', attr: 'transactions.23.reason' });
  const problems = await service.staff.dataImport.listProblems.query({ import_supplier_code: code });
  expect(problems).toMatchObject([
    { operation: 'transactions', code: 'required', attr: 'transactions.*.reason', accounts: 1 },
  ]);
  expect(problems[0]?.sample_account_numbers).toEqual([external_account_number]);
});
