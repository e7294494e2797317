import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { charge } from '../transactions/examples.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  service.setTime('2026-04-20T11:30:00Z');
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

const STAGE = 'account-import-process/create-or-update/';
const PROCESS = 'account-import-process/process/';
const FAULTS = [
  ['X-1 ', 'surrounding_white_space'],
  ['e\u0301-2', 'not_normalised'],
  ['X\u200b-1', 'invalid_characters'],
] as const;

const statement = {
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  statement_id: 'OS',
  issued_date: '2026-02-03',
  number: '1',
  gross_amount: 12.5,
};
const instruction = { vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' };

const count = async (table: string, id: string): Promise<number> => {
  const text = `SELECT count(*)::integer AS rows FROM ${table} WHERE account_import_id = $1`;
  return (await service.database.pool.query<{ rows: number }>(text, [id])).rows[0]?.rows ?? 0;
};
const problemsOf = ({ errors }: { errors: { attr: string; code: string }[] }) =>
  errors.map(({ attr, code }) => `${attr}: ${code}`);

test('2.1.6 an account number that only looks like one is unknown where an account is looked up', async () => {
  const { externalAccountNumber } = await supplier.importAccount();
  const number = `${externalAccountNumber} `;
  const process = await supplier.post(PROCESS, supplier.processRequest(number));
  expect(process.body.code).toBe('import_process_does_not_exist');
  const reference = { import_supplier: supplier.code, external_account_number: number };
  for (const [path, body] of [
    ['notes/create/', { notes: [{ body: 'x' }] }],
    ['transactions/create/', { transactions: [charge('T-1')] }],
    ['historical-statements/create/', { statements: [statement] }],
    ['payment-instruction/create/', instruction],
  ] as const) {
    expect((await supplier.post(path, { ...reference, ...body })).body.code).toBe('account_not_found');
  }
});

test.each(FAULTS)(
  '2.1 a new account number %j is refused as %s together with all other problems',
  async (number, code) => {
    const account = supplier.account({ external_account_number: number, billing_email: 'nobody' });
    for (const path of ['validate-account/', STAGE]) {
      const { status, body } = await supplier.post(path, account);
      expect([status, body.code]).toEqual([400, 'account_failed_validation']);
      expect(problemsOf(body).sort()).toEqual(['billing_email: invalid_email', `external_account_number: ${code}`]);
    }
    expect(await service.database.prisma.accountImport.count({ where: { external_account_number: number } })).toBe(0);
  },
);

test.each(FAULTS)(
  '2.1 a new transaction id %j is refused as %s, in the body of 4.5, and nothing is added',
  async (id, code) => {
    const account = await supplier.importAccount();
    const sent = charge(id);
    const transactions = [charge('T-1'), sent, charge('T-2', { amount: 1.005 })];
    const { status, body } = await supplier.post('transactions/create/', { ...account.reference, transactions });
    expect([status, body.code]).toEqual([400, 'request_failed_validation']);
    expect(problemsOf(body).sort()).toEqual([
      `transactions.1.transaction_id: ${code}`,
      'transactions.2.amount: max_decimal_places',
    ]);
    expect(body).toMatchObject({ transaction_data: sent, status: 'TRANSACTION_IMPORT_ERROR' });
    expect(body.error_detail).toBe(body.errors.find((error: { code: string }) => error.code === code).detail);
    expect(await count('transactions', account.id)).toBe(0);
  },
);

test.each(FAULTS)('2.1.5 a new statement id and a new reference %j are refused as %s', async (id, code) => {
  const account = await supplier.importAccount();
  const statements = [{ ...statement, statement_id: id }];
  const billed = await supplier.post('historical-statements/create/', { ...account.reference, statements });
  expect(problemsOf(billed.body)).toEqual([`statements.0.statement_id: ${code}`]);
  const instructed = { ...account.reference, ...instruction, reference: id };
  const { body } = await supplier.post('payment-instruction/create/', instructed);
  expect(problemsOf(body)).toEqual([`reference: ${code}`]);
});

test('4.2 what is missing as a whole is said to be missing', async () => {
  const { trpc } = supplier;
  const stage = trpc.dataImport.stageAccount.mutate as (input?: unknown) => Promise<unknown>;
  await expect(stage()).rejects.toThrow('The payload is missing.');
  await expect(stage('x')).rejects.toThrow('The payload must be an object.');
});
