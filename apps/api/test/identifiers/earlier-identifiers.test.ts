import { accountImportId } from '@causeway/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { ImportedAccount, TestSupplier } from '../support/test-supplier.ts';
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
const EARLIER = ['OLD-1 ', 'e\u0301-1', '１２', 'N\u00adW-1', 'B\u0007-1'];
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

/** Stages an account as the service did when it took any number. */
async function stageAsEarlier(number: string): Promise<void> {
  const template = await supplier.stage();
  await service.database.pool.query(
    `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
    SELECT account_import_id(import_supplier_code, $1), import_supplier_code, $1, state,
      jsonb_set(payload, '{external_account_number}', to_jsonb($1::text)), staged_at, updated_at
    FROM account_imports WHERE id = $2`,
    [number, accountImportId(supplier.code, template)],
  );
}

const count = async (table: string, id: string): Promise<number> => {
  const text = `SELECT count(*)::integer AS rows FROM ${table} WHERE account_import_id = $1`;
  return (await service.database.pool.query<{ rows: number }>(text, [id])).rows[0]?.rows ?? 0;
};
const rename = ({ id }: ImportedAccount, table: string, column: string) =>
  service.database.pool.query(`UPDATE ${table} SET ${column} = ${column} || ' ' WHERE account_import_id = $1`, [id]);
const problemsOf = ({ errors }: { errors: { attr: string; code: string }[] }) =>
  errors.map(({ attr, code }) => `${attr}: ${code}`);

test.each(EARLIER)(
  '2.1 an account staged under earlier rules as %j is corrected, created and imported into',
  async (number) => {
    await stageAsEarlier(number);
    const account = supplier.account({ external_account_number: number });
    expect((await supplier.post('validate-account/', account)).status).toBe(200);
    expect((await supplier.post(STAGE, account)).status).toBe(200);
    expect((await supplier.post(PROCESS, supplier.processRequest(number))).status).toBe(201);
    const reference = { import_supplier: supplier.code, external_account_number: number };
    const imports = [
      ['notes/create/', { notes: [{ body: 'x' }] }],
      ['transactions/create/', { transactions: [charge('T-1')] }],
      ['historical-statements/create/', { statements: [statement] }],
      ['payment-instruction/create/', instruction],
    ] as const;
    for (const [path, body] of imports) {
      expect([path, (await supplier.post(path, { ...reference, ...body })).status]).toEqual([path, 201]);
    }
    const id = accountImportId(supplier.code, number);
    for (const table of ['notes', 'transactions', 'statements', 'payment_instructions']) {
      expect([table, await count(table, id)]).toEqual([table, 1]);
    }
    const again = await supplier.post(STAGE, account);
    expect([again.status, again.body.code]).toEqual([400, 'account_import_process_already_imported']);
  },
);

test('2.1 an account number that only looks like one is unknown where an account is looked up', async () => {
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

test('2.1 a transaction stored under an earlier id is known by it, and is not added again', async () => {
  const account = await supplier.importAccount();
  const send = (ids: string[], query = '') =>
    supplier.post(`transactions/create/${query}`, { ...account.reference, transactions: ids.map((id) => charge(id)) });
  await send(['OT']);
  await rename(account, 'transactions', 'transaction_id');
  const { status, body } = await send(['OT ', 'NEW', 'OT ']);
  expect(status).toBe(201);
  expect(body.results.map((result: { status: string }) => result.status)).toEqual([
    'TRANSACTION_ALREADY_EXISTS',
    'TRANSACTION_ADDED_TO_ACCOUNT',
    'TRANSACTION_ALREADY_EXISTS',
  ]);
  expect(await count('transactions', account.id)).toBe(2);
  const unlooked = await send(['OT '], '?check_previously_added=false');
  expect(problemsOf(unlooked.body)).toEqual(['transactions.0.transaction_id: surrounding_white_space']);
  expect(await count('transactions', account.id)).toBe(2);
});

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

test('2.1 a statement and a payment instruction stored under earlier identifiers are known by them', async () => {
  const account = await supplier.importAccount();
  const send = (statement_id: string) =>
    supplier.post('historical-statements/create/', {
      ...account.reference,
      statements: [{ ...statement, statement_id }],
    });
  const instruct = (reference: string) =>
    supplier.post('payment-instruction/create/', { ...account.reference, ...instruction, reference });
  await send('OS');
  await instruct('pm_ok_1');
  await rename(account, 'statements', 'statement_id');
  await rename(account, 'payment_instructions', 'reference');
  expect([(await send('OS ')).status, (await instruct('pm_ok_1 ')).status]).toEqual([201, 201]);
  expect(await count('statements', account.id)).toBe(1);
  expect(await count('payment_instructions', account.id)).toBe(1);
  expect(problemsOf((await send('NEW ')).body)).toEqual(['statements.0.statement_id: surrounding_white_space']);
  expect(problemsOf((await instruct('NEW ')).body)).toEqual(['reference: surrounding_white_space']);
  expect(await count('statements', account.id)).toBe(1);
});

test('4.2 what is missing as a whole is said to be missing', async () => {
  const { trpc } = supplier;
  const stage = trpc.dataImport.stageAccount.mutate as (input?: unknown) => Promise<unknown>;
  await expect(stage()).rejects.toThrow('The payload is missing.');
  await expect(stage('x')).rejects.toThrow('The payload must be an object.');
});
