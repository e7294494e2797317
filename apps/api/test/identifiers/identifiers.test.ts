import { expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { refusal } from '../staff/refusal.ts';
import { allRows } from '../support/all-rows.ts';
import { serviceOfFile } from '../support/test-service.ts';
import { charge } from '../transactions/examples.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();

const IMPORT = 'account-import-process/create-or-update/';
const VARIANTS = ['NW-1 ', ' NW-1', 'NW\u200b-1', 'N\u00adW-1', 'ＮＷ-1', 'NW-1\u202c'];
const statusOf = (number: string) =>
  supplier.get(`account-transfer-status/${supplier.code}/${encodeURIComponent(number)}/`);

test('2.1.5 4.2 an account number that only looks different is no account of its own, and is told so', async () => {
  await supplier.stage({ external_account_number: 'NW-1' });
  for (const external_account_number of [...VARIANTS, '.', '..']) {
    const { status, body } = await supplier.post(IMPORT, supplier.account({ external_account_number }));
    expect([status, body.code]).toEqual([400, 'account_failed_validation']);
    expect(body.errors.map(({ attr }: { attr: string }) => attr)).toEqual(['external_account_number']);
    if (external_account_number.length > 2) expect(JSON.stringify(body)).not.toContain(external_account_number);
  }
  expect(await service.database.prisma.accountImport.count({ where: { import_supplier_code: supplier.code } })).toBe(1);
});

test('2.1.2 the code of an import supplier may have spaces inside, in bodies and in paths', async () => {
  const spaced = await service.createSupplier({ code: 'HARBOUR VALE 2026' });
  const { externalAccountNumber } = await spaced.importAccount();
  const status = await spaced.get(`account-transfer-status/HARBOUR%20VALE%202026/${externalAccountNumber}/`);
  expect([status.status, status.body.status]).toEqual([200, 'COMPLETED']);
  const listed = await spaced.get('imported-account-import-processes/HARBOUR%20VALE%202026/?limit=1');
  expect(listed.body).toMatchObject([{ external_account_number: externalAccountNumber }]);
  expect((await spaced.get('all-account-import-processes/HARBOUR%20VALE/')).status).toBe(404);
  for (const import_supplier of [' HARBOUR', 'HARBOUR ', 'HARBOUR  VALE', 'HARBOUR\tVALE']) {
    const { body } = await spaced.post(IMPORT, spaced.account({ import_supplier }));
    expect(body.errors).toMatchObject([{ code: 'invalid', attr: 'import_supplier' }]);
  }
});

test('4.8 looked up in a path or over tRPC it is as unknown as any other number, and answers 404 account_not_found', async () => {
  const unknown = await statusOf('NEVER-STAGED');
  expect(unknown.body.code).toBe('account_not_found');
  for (const number of [...VARIANTS, 'x'.repeat(129), 'NW-1\u0007', '\u202e1-WN']) {
    const { status, body } = await statusOf(number);
    // A control character makes it no path at all.
    expect([number, status, body.code]).toEqual([
      number,
      404,
      /\p{Cc}/u.test(number) ? 'not_found' : unknown.body.code,
    ]);
    const one = { code: supplier.code, external_account_number: number };
    expect(await refusal(service.staff.accountImports.get.query(one))).toMatchObject({ code: 'account_not_found' });
    const list = { import_supplier_code: `${supplier.code}${number}` };
    expect(await refusal(supplier.trpc.dataImport.listAccountImports.query(list))).toMatchObject({
      code: 'import_supplier_does_not_exist',
    });
  }
});

test('2.1.6 an account number that only looks like one is unknown where an account is looked up', async () => {
  const { externalAccountNumber } = await supplier.importAccount();
  const number = `${externalAccountNumber} `;
  const { body } = await supplier.post('account-import-process/process/', supplier.processRequest(number));
  expect(body.code).toBe('import_process_does_not_exist');
  const reference = { import_supplier: supplier.code, external_account_number: number };
  const noted = await supplier.post('notes/create/', { ...reference, notes: [{ body: 'x' }] });
  expect(noted.body.code).toBe('account_not_found');
});

test('2.1 a new transaction id that only looks like one is refused, in the body of 4.5, and nothing is added', async () => {
  const { id, reference } = await supplier.importAccount();
  const sent = charge('X\u200b-1');
  const transactions = [charge('T-1'), sent, charge('T-2', { amount: 1.005 })];
  const { status, body } = await supplier.post('transactions/create/', { ...reference, transactions });
  expect([status, body.code]).toEqual([400, 'request_failed_validation']);
  expect(body.errors.map(({ attr, code }: Record<string, string>) => `${attr}: ${code}`).sort()).toEqual([
    'transactions.1.transaction_id: invalid_characters',
    'transactions.2.amount: max_decimal_places',
  ]);
  expect(body).toMatchObject({ transaction_data: sent, status: 'TRANSACTION_IMPORT_ERROR' });
  expect(await service.database.prisma.transaction.count({ where: { account_import_id: id } })).toBe(0);
});

test('2.1.5 so are a new statement id and a new reference', async () => {
  const { reference } = await supplier.importAccount();
  const statements = [statement('OS ')];
  const billed = await supplier.post('historical-statements/create/', { ...reference, statements });
  expect(billed.body.errors).toMatchObject([{ attr: 'statements.0.statement_id', code: 'surrounding_white_space' }]);
  const instruction = { ...reference, vendor: 'SANDBOX', reference: 'e\u0301-2', type: 'CARD' };
  const instructed = await supplier.post('payment-instruction/create/', instruction);
  expect(instructed.body.errors).toMatchObject([{ attr: 'reference', code: 'not_normalised' }]);
});

test('4.2 what is missing as a whole is said to be missing', async () => {
  const stage = supplier.trpc.dataImport.stageAccount.mutate as (input?: unknown) => Promise<unknown>;
  await expect(stage()).rejects.toThrow('The payload is missing.');
  await expect(stage('x')).rejects.toThrow('The payload must be an object.');
});

test('2.1 the names of teams and organisations are identifiers too', async () => {
  const { staff } = service;
  for (const name of ['Support ', 'Sup\u200bport', 'Ｓupport', 'Sup\nport']) {
    for (const call of [staff.operationsTeams.create.mutate({ name }), staff.organisations.create.mutate({ name })]) {
      expect(await refusal(call)).toMatchObject({ status: 400, code: 'request_failed_validation', attrs: ['name'] });
    }
  }
});

// That the accounts of another organisation are as absent as these is 5.9, for every procedure.
test.each([
  ['notes', 404, 'notes/create/', { notes: [{ body: 'x' }] }],
  ['transactions', 400, 'transactions/create/', { transactions: [charge('T-1')] }],
  ['statements', 400, 'historical-statements/create/', { statements: [statement('ST-1')] }],
  [
    'a payment instruction',
    400,
    'payment-instruction/create/',
    { vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' },
  ],
] as const)(
  '4.4 4.5 4.6 4.7 an import of %s answers 404 or 400 account_not_found where the account is staged only, absent or of another import supplier',
  async (_what, expected, path, sent) => {
    const sibling = await service.createSupplier({ of: supplier });
    const { externalAccountNumber: siblings } = await sibling.importAccount({
      external_account_number: `Sibling ${path}`,
    });
    const { externalAccountNumber: own } = await supplier.importAccount({ external_account_number: `Case ${path}` });
    const staged = await supplier.stage();
    const before = await allRows(service.database);
    for (const external_account_number of [staged, 'ABSENT', own.toLowerCase(), siblings]) {
      const reference = { import_supplier: supplier.code, external_account_number };
      const { status, body } = await supplier.post(path, { ...reference, ...sent });
      expect([external_account_number, status, body.code]).toEqual([
        external_account_number,
        expected,
        'account_not_found',
      ]);
      expect(body.errors).toMatchObject([{ attr: 'external_account_number' }]);
      // An import supplier is part of each payload.
      const { status: nameless, body: refused } = await supplier.post(path, { ...sent, external_account_number });
      expect([nameless, refused.errors]).toMatchObject([400, [{ attr: 'import_supplier', code: 'required' }]]);
    }
    expect(await allRows(service.database)).toEqual(before);
  },
);
