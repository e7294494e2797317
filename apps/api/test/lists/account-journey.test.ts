import { expect, test } from 'vitest';
import { serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();

test('1.1 an account is validated, staged, updated any number of times, then processed', async () => {
  const account = supplier.account();
  const { external_account_number } = account;
  const validated = await supplier.post('validate-account/', account);
  expect(validated.status).toBe(200);
  const staging = [];
  for (const billing_name of ['First', 'Second', 'Third']) {
    staging.push(await supplier.post('account-import-process/create-or-update/', { ...account, billing_name }));
  }
  expect(staging.map(({ status }) => status)).toEqual([201, 200, 200]);
  expect(await service.database.prisma.account.count()).toBe(0);
  const request = supplier.processRequest(external_account_number);
  const { status, body } = await supplier.post('account-import-process/process/', request);
  expect(status).toBe(201);
  const { service_account_number } = body;
  const created = await service.database.prisma.account.findUnique({ where: { service_account_number } });
  expect(created?.billing_name).toBe('Third');
});

test('1.2 after creation notes, transactions, statements and a payment instruction are attached to the account', async () => {
  const { id, reference } = await supplier.importAccount({ last_billed_to_date: undefined });
  const transaction = { transaction_id: 'T-1', transaction_date: '2026-04-05', type: 'CREDIT', amount: 1, reason: 'X' };
  const period = { bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31', issued_date: '2026-02-01' };
  const answers = [
    await supplier.post('notes/create/', { ...reference, notes: [{ body: 'Hello' }] }),
    await supplier.post('transactions/create/', { ...reference, transactions: [transaction] }),
    await supplier.post('historical-statements/create/', {
      ...reference,
      statements: [{ ...period, statement_id: 'ST-1', number: '1', gross_amount: 1 }],
    }),
    await supplier.post('payment-instruction/create/', {
      ...reference,
      vendor: 'SANDBOX',
      reference: 'pm_ok_1',
      type: 'CARD',
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const account = await service.database.prisma.account.findUnique({
    where: { account_import_id: id },
    include: { notes: true, transactions: true, statements: true, payment_instruction: true },
  });
  expect(account).toMatchObject({
    // The note that was sent, and the one that tells of the moved transaction.
    notes: [{}, {}],
    transactions: [{ transaction_id: 'T-1' }],
    statements: [{ statement_id: 'ST-1' }],
    payment_instruction: [{ reference: 'pm_ok_1' }],
  });
});

test('1.3 the state of the migration can be read per account and per import supplier', async () => {
  const own = await service.createSupplier();
  const { externalAccountNumber } = await own.importAccount();
  const staged = await own.stage();
  const states = await Promise.all(
    [externalAccountNumber, staged].map((number) => own.get(`account-transfer-status/${own.code}/${number}/`)),
  );
  expect(states.map(({ body }) => body.status)).toEqual(['COMPLETED', 'UNKNOWN']);
  const lists = await Promise.all(
    ['all', 'pending', 'imported'].map((list) => own.get(`${list}-account-import-processes/${own.code}/`)),
  );
  expect(lists.map(({ body }) => body.length)).toEqual([2, 1, 1]);
});

test('1.4 the service team configures import suppliers, several for one organisation, each with its own accounts', async () => {
  const cohort = await service.createSupplier({ of: supplier, balance_check: 'OFF', document_root: 'cohort/2' });
  const { status, balance_check, document_root } = await service.staff.importSuppliers.get.query({
    code: cohort.code,
  });
  expect([status, balance_check, document_root]).toEqual(['ONGOING', 'OFF', 'cohort/2']);
  const external_account_number = await supplier.stage();
  // The one key of the organisation reaches both, and each has its own account of the same number.
  const again = supplier.account({ import_supplier: cohort.code, external_account_number });
  expect((await supplier.post('account-import-process/create-or-update/', again)).status).toBe(201);
  const listed = await supplier.get(`all-account-import-processes/${cohort.code}/`);
  expect(listed.body).toMatchObject([{ external_account_number }]);
});

test('1.5 no file is asked for or stored: a payload that names documents nobody has uploaded is taken', async () => {
  const { id, reference } = await supplier.importAccount();
  const document_path = 'never/uploaded.pdf';
  const notes = [{ document_paths: [{ document_path }] }];
  expect((await supplier.post('notes/create/', { ...reference, notes })).status).toBe(201);
  const stored = await service.database.prisma.note.findMany({ where: { account_import_id: id } });
  expect(stored).toMatchObject([{ body: null, document_paths: [document_path] }]);
});

const statusOf = (number: string, code = supplier.code) =>
  supplier.get(`account-transfer-status/${encodeURIComponent(code)}/${encodeURIComponent(number)}/`);

test('4.8 answers 200 with an empty service_account_number until the account is created, then with its number', async () => {
  const number = await supplier.stage();
  const before = await statusOf(number);
  expect([before.status, before.body]).toEqual([200, { status: 'UNKNOWN', service_account_number: '' }]);
  const { body } = await supplier.post('account-import-process/process/', supplier.processRequest(number));
  const after = await statusOf(number);
  const { service_account_number } = body;
  expect([after.status, after.body]).toEqual([200, { status: 'COMPLETED', service_account_number }]);
});

test('4.8 answers 404 account_not_found where nothing was ever staged', async () => {
  await supplier.stage({ external_account_number: 'Here' });
  for (const number of ['ABSENT', 'here', 'Here ', 'x'.repeat(129)]) {
    const { status, body } = await statusOf(number);
    expect([number, status, body.code]).toEqual([number, 404, 'account_not_found']);
  }
});
