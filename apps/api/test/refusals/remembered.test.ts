import { describe, expect, test } from 'vitest';
import { marked } from '../idempotency/marked-calls.ts';
import { restCalls, serviceOfFile, trpcClient } from '../support/test-service.ts';
import { accepted, PROCESS, refused, remembered, STAGE, TRANSACTIONS } from './refused-calls.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();

const rowsOf = (number: string) => remembered(service, number);
const detailOf = (external_account_number: string, { code } = supplier) =>
  service.staff.accountImports.get.query({ code, external_account_number });
const dated = (date: string) => ({ last_billed_to_date: date });

describe('what is remembered', () => {
  test.concurrent('4.15.1 a refused call leaves one row an operation, with codes and paths and no value', async () => {
    const account = await supplier.importAccount();
    const { status } = await supplier.post(TRANSACTIONS, refused(account));
    expect(status).toBe(400);
    await supplier.post(TRANSACTIONS, refused(account));
    const rows = await service.database.prisma.accountImportRefusal.findMany({
      where: { external_account_number: account.externalAccountNumber },
    });
    expect(rows).toEqual([
      {
        account_import_id: account.id,
        operation: 'transactions',
        reported: '',
        import_supplier_code: supplier.code,
        external_account_number: account.externalAccountNumber,
        code: 'request_failed_validation',
        errors: [{ code: 'invalid_date', attr: 'transactions.1.transaction_date' }],
        problems: ['invalid_date transactions.*.transaction_date'],
        detail: null,
        lacking: null,
        records: null,
        is_unsettled: false,
        is_staged: true,
        is_created: true,
        times: 2,
        request_id: expect.any(String),
        first_seen_at: expect.any(Date),
        last_seen_at: expect.any(Date),
        resolved_at: null,
      },
    ]);
  });

  test.concurrent('4.15.1 the refusal of every operation is remembered, also of a number that was never staged', async () => {
    const reference = { import_supplier: supplier.code, external_account_number: 'NEVER-1' };
    const account = { ...reference, customers: [] };
    const process = supplier.processRequest('NEVER-1');
    for (const [path, body] of [
      ['validate-account/', account],
      [STAGE, account],
      [PROCESS, process],
      [PROCESS, { ...process, dry_run: true }],
      ['notes/create/', { ...reference, notes: [{ body: 'x' }] }],
      [TRANSACTIONS, accepted({ reference })],
      ['historical-statements/create/', { ...reference, statements: [] }],
      ['payment-instruction/create/', { ...reference, vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' }],
    ] as const) {
      expect([400, 404]).toContain((await supplier.post(path, body)).status);
    }
    const open = { times: 1, open: true };
    expect(await rowsOf('NEVER-1')).toEqual([
      { operation: 'dry_run', code: 'import_process_does_not_exist', ...open },
      { operation: 'notes', code: 'account_not_found', ...open },
      { operation: 'payment_instruction', code: 'account_not_found', ...open },
      { operation: 'process', code: 'import_process_does_not_exist', ...open },
      { operation: 'stage', code: 'account_failed_validation', ...open },
      { operation: 'statements', code: 'request_failed_validation', ...open },
      { operation: 'transactions', code: 'account_not_found', ...open },
      { operation: 'validate', code: 'account_failed_validation', ...open },
    ]);
    expect((await supplier.stage({ external_account_number: 'NEVER-1' })) && (await rowsOf('NEVER-1'))).toMatchObject([
      { operation: 'dry_run', open: true },
      { operation: 'notes', open: true },
      { operation: 'payment_instruction', open: true },
      { operation: 'process', open: true },
      { operation: 'stage', open: false },
      { operation: 'statements', open: true },
      { operation: 'transactions', open: true },
      { operation: 'validate', open: false },
    ]);
  });

  test.concurrent('4.15.1 a part of a path that is not like a name is not kept', async () => {
    const own = await service.createSupplier({ reject_undocumented_fields: true });
    const number = 'KEYS-1';
    const customers = [
      { family_name: 'X', 'Zaphodina Brandt': 1, 'z.brandt@example.com': 1, '07700900123': 1, nickname: 1 },
    ];
    await own.post(STAGE, own.account({ external_account_number: number, customers }));
    const [row] = await service.database.prisma.accountImportRefusal.findMany({
      where: { external_account_number: number },
    });
    expect(JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value))).not.toMatch(
      /brandt|0770/i,
    );
    expect(row?.errors).toContainEqual({ code: 'undocumented_field', attr: 'customers.0.nickname' });
    expect(row?.errors).toContainEqual({ code: 'undocumented_field', attr: 'customers.0.?' });
    expect(row?.problems).toEqual(['undocumented_field customers.*.*']);
  });

  test.concurrent('4.15.1 a refused call of the service team is remembered too, over tRPC', async () => {
    const number = await supplier.stage();
    const request = { ...supplier.processRequest(number), operations_team_name: 'Nobody' };
    await expect(service.staff.dataImport.processAccount.mutate(request as never)).rejects.toThrow();
    expect(await rowsOf(number)).toEqual([
      { operation: 'process', code: 'operations_team_name_does_not_exist', times: 1, open: true },
    ]);
  });

  test.concurrent('4.15.3 what says nothing about the data leaves nothing', async () => {
    const foreign = await service.createSupplier();
    const number = await supplier.stage({ external_account_number: 'SILENT-1' });
    await supplier.post(TRANSACTIONS, '{"import_supplier":', {});
    await foreign.post(
      TRANSACTIONS,
      refused({ reference: { import_supplier: supplier.code, external_account_number: number } }),
    );
    await supplier.post('payment-instruction/create/', { import_supplier: supplier.code });
    await supplier.post(STAGE, supplier.account({ external_account_number: ' SILENT-2' }));
    await supplier.post('notes/create/', {
      import_supplier: supplier.code,
      external_account_number: ' SILENT-3',
      notes: [],
    });
    await supplier.post('notes/create/', { import_supplier: supplier.code, external_account_number: 3, notes: [] });
    await supplier.get(`account-transfer-status/${supplier.code}/SILENT-4/`);
    const rows = await service.database.prisma.accountImportRefusal.findMany({
      where: { OR: [{ external_account_number: { contains: 'SILENT' } }, { import_supplier_code: foreign.code }] },
    });
    expect(rows).toEqual([]);
  });

  test.concurrent('4.15.3 a vendor out of reach is remembered like one that refuses: the account lacks its instruction', async () => {
    const account = await supplier.importAccount();
    const instruction = (reference: string) => ({ ...account.reference, vendor: 'SANDBOX', reference, type: 'CARD' });
    const away = await supplier.post('payment-instruction/create/', instruction('pm_503_1'));
    expect(away.status).toBe(500);
    const remembered = { operation: 'payment_instruction', open: true };
    expect(await rowsOf(account.externalAccountNumber)).toMatchObject([
      { ...remembered, code: 'payment_vendor_unavailable' },
    ]);
    await supplier.post('payment-instruction/create/', instruction('pm_missing_1'));
    expect(await rowsOf(account.externalAccountNumber)).toMatchObject([
      { ...remembered, code: 'payment_vendor_rejected' },
    ]);
  });
});

describe('what resolves it', () => {
  test.concurrent('4.15.2 the same operation resolves it when it succeeds, over either interface', async () => {
    const account = await supplier.importAccount();
    const { externalAccountNumber: number } = account;
    const call = supplier.trpc.dataImport.importTransactions.mutate(refused(account) as never);
    await expect(call).rejects.toThrow();
    expect(await rowsOf(number)).toMatchObject([{ operation: 'transactions', open: true, times: 1 }]);
    expect((await supplier.post(TRANSACTIONS, accepted(account))).status).toBe(201);
    expect(await rowsOf(number)).toMatchObject([{ operation: 'transactions', open: false }]);
    await supplier.post(TRANSACTIONS, refused(account));
    expect(await rowsOf(number)).toMatchObject([{ open: true, times: 1 }]);
    await supplier.post('notes/create/', { ...account.reference, notes: [{ body: 'Another operation' }] });
    expect(await rowsOf(number)).toMatchObject([{ open: true }]);
    // Nothing is written any more: the account has them.
    expect((await supplier.post(TRANSACTIONS, accepted(account))).body.results).toHaveLength(2);
    expect(await rowsOf(number)).toMatchObject([{ open: false }]);
  });

  test.concurrent('4.15.2 validation is resolved by a validation, and by staging', async () => {
    const bad = supplier.account({ customers: [] });
    const good = { ...supplier.account(), external_account_number: bad.external_account_number };
    await supplier.post('validate-account/', bad);
    expect(await rowsOf(bad.external_account_number)).toMatchObject([{ operation: 'validate', open: true }]);
    await supplier.post('validate-account/', good);
    expect(await rowsOf(bad.external_account_number)).toMatchObject([{ operation: 'validate', open: false }]);
    await supplier.post('validate-account/', bad);
    await supplier.post(STAGE, good);
    expect(await rowsOf(bad.external_account_number)).toMatchObject([{ operation: 'validate', open: false }]);
  });

  test.concurrent('4.15.2 the creation resolves validation, dry runs and process, and not a refused staging', async () => {
    const account = supplier.account();
    const number = account.external_account_number;
    await supplier.post(STAGE, account);
    const request = supplier.processRequest(number);
    const nobody = { ...request, operations_team_name: 'Nobody' };
    await supplier.post(PROCESS, nobody);
    await supplier.post(PROCESS, { ...nobody, dry_run: true });
    await supplier.post(STAGE, { ...account, ...dated('2026-02-30') });
    await supplier.post('validate-account/', { ...account, ...dated('2026-02-30') });
    expect((await rowsOf(number)).map(({ open }) => open)).toEqual([true, true, true, true]);
    expect((await supplier.post(PROCESS, { ...request, dry_run: true })).body.code).toBe('dry_run_rolled_back');
    expect(await rowsOf(number)).toMatchObject([
      { operation: 'dry_run', open: false },
      { open: true },
      { open: true },
      { open: true },
    ]);
    expect((await supplier.post(PROCESS, request)).status).toBe(201);
    expect(await rowsOf(number)).toMatchObject([
      { operation: 'dry_run', open: false },
      { operation: 'process', open: false },
      { operation: 'stage', open: true },
      { operation: 'validate', open: false },
    ]);
    expect((await detailOf(number)).complete).toBe(false);
  });

  test.concurrent('4.15.5 nothing is open of an account that exists, if the call could bring nothing more to it', async () => {
    const { externalAccountNumber: number } = await supplier.importAccount();
    await supplier.post(PROCESS, supplier.processRequest(number));
    await supplier.post(PROCESS, supplier.processRequest(number));
    await supplier.post(STAGE, supplier.account({ external_account_number: number }));
    expect(await rowsOf(number)).toEqual([
      { operation: 'process', code: 'account_import_process_already_imported', times: 2, open: false },
      { operation: 'stage', code: 'account_import_process_already_imported', times: 1, open: false },
    ]);
    const { complete, refusals, audit_trail } = await detailOf(number);
    expect([complete, refusals]).toEqual([true, []]);
    expect(audit_trail.map(({ action }) => action)).not.toContain('process_refused');
  });

  test.concurrent('4.15.5 skipping and erasing resolve what is open, and nothing opens any more', async () => {
    const key = (external_account_number: string) => ({ code: supplier.code, external_account_number, reason: 'Left' });
    const skipped = await supplier.stage();
    const nobody = { ...supplier.processRequest(skipped), operations_team_name: 'Nobody' };
    await supplier.post(PROCESS, nobody);
    await service.staff.accountImports.skip.mutate(key(skipped));
    await supplier.post(STAGE, supplier.account({ external_account_number: skipped }));
    expect(await rowsOf(skipped)).toMatchObject([
      { operation: 'process', open: false },
      { operation: 'stage', open: false },
    ]);
    const erased = await supplier.importAccount();
    await supplier.post(TRANSACTIONS, refused(erased));
    await service.staff.accounts.erase.mutate(key(erased.externalAccountNumber));
    expect(await rowsOf(erased.externalAccountNumber)).toMatchObject([{ operation: 'transactions', open: false }]);
    await supplier.post('notes/create/', { ...erased.reference, notes: [{ body: 'x' }] });
    expect(await rowsOf(erased.externalAccountNumber)).toMatchObject([
      { operation: 'notes', code: 'account_erased', open: false },
      { operation: 'transactions', open: false },
    ]);
  });
});

describe('what is told', () => {
  test.concurrent('4.15.6 an account is complete when it exists and nothing of it is refused', async () => {
    const own = await service.createSupplier();
    const account = await own.importAccount();
    const other = await own.importAccount();
    await own.stage();
    expect(await detailOf(account.externalAccountNumber, own)).toMatchObject({ complete: true, refusals: [] });
    await own.post(TRANSACTIONS, refused(account));
    const { complete, refusals } = await detailOf(account.externalAccountNumber, own);
    expect(complete).toBe(false);
    expect(refusals).toEqual([
      {
        operation: 'transactions',
        refused: true,
        code: 'request_failed_validation',
        errors: [{ code: 'invalid_date', attr: 'transactions.1.transaction_date' }],
        detail: null,
        times: 1,
        first_seen_at: expect.any(String),
        last_seen_at: expect.any(String),
        request_id: expect.any(String),
      },
    ]);
    const read = await own.get(`accounts/${own.code}/${account.externalAccountNumber}/`);
    expect(read.body).toMatchObject({ complete: false, refusals });
    const { counts } = await service.staff.importSuppliers.get.query({ code: own.code });
    expect(counts).toEqual({ staged: 1, failed: 0, skipped: 0, completed: 2, undone: 0, complete: 1 });
    const numbers = async (complete: boolean) =>
      (await service.staff.accountImports.list.query({ code: own.code, complete })).map(
        ({ external_account_number }) => external_account_number,
      );
    expect(await numbers(false)).toEqual([account.externalAccountNumber]);
    expect(await numbers(true)).toEqual([other.externalAccountNumber]);
    const status = await own.get(`account-transfer-status/${own.code}/${account.externalAccountNumber}/`);
    expect(status.body.status).toBe('COMPLETED');
  });

  test.concurrent('4.15.9 the trail of an account that exists tells of a refusal once, until it is fixed', async () => {
    const account = await supplier.importAccount();
    const { externalAccountNumber: number } = account;
    for (const body of [refused(account), refused(account), accepted(account), refused(account)]) {
      await supplier.post(TRANSACTIONS, body);
    }
    const { audit_trail } = await detailOf(number);
    expect(audit_trail.map(({ action }) => action).filter((action) => action.startsWith('transactions'))).toEqual([
      'transactions_refused',
      'transactions_imported',
      'transactions_refused',
    ]);
    expect(audit_trail.find(({ action }) => action === 'transactions_refused')).toMatchObject({
      actor: 'supplier',
      detail: {
        code: 'request_failed_validation',
        errors: [{ code: 'invalid_date', attr: 'transactions.1.transaction_date' }],
      },
    });
  });

  test.concurrent('4.15.12 what is remembered of a person is nothing, in any table', async () => {
    const customers = [{ given_name: 'Zaphodina', family_name: 'X', email: 'zaphodina@', landline: 'zaphodina' }];
    const account = supplier.account({ customers, billing_name: 'Zaphodina'.repeat(100) });
    expect((await supplier.post(STAGE, account)).status).toBe(400);
    const { prisma } = service.database;
    const rows = [
      await prisma.accountImportRefusal.findMany(),
      await prisma.importProblem.findMany(),
      await prisma.importProblemChange.findMany(),
      await prisma.auditEvent.findMany(),
    ];
    const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
    expect(text).toContain('customers.0.landline');
    expect(text).not.toMatch(/zaphodina/i);
  });
});

test('4.15.11 a refusal that is repeated from a kept answer is not counted again', async () => {
  const number = await supplier.stage();
  const body = { ...supplier.processRequest(number), operations_team_name: 'Nobody' };
  const call = marked(supplier, PROCESS, { body });
  for (const _ of [1, 2, 3]) expect((await call.send()).body.code).toBe('operations_team_name_does_not_exist');
  expect(await rowsOf(number)).toMatchObject([{ operation: 'process', times: 1, open: true }]);
  await marked(supplier, PROCESS, { body }).send();
  expect(await rowsOf(number)).toMatchObject([{ operation: 'process', times: 2, open: true }]);
});

test('4.15.11 a refusal that is not kept is counted each time', async () => {
  const account = await supplier.importAccount();
  const call = marked(supplier, TRANSACTIONS, { body: refused(account) });
  await call.send();
  await call.send();
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ operation: 'transactions', times: 2 }]);
});

test('4.15.11 a success with a key resolves, and its repeat resolves nothing that was refused since', async () => {
  const account = await supplier.importAccount();
  await supplier.post(TRANSACTIONS, refused(account));
  const call = marked(supplier, TRANSACTIONS, { body: accepted(account) });
  expect((await call.send()).status).toBe(201);
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ open: false }]);
  await supplier.post(TRANSACTIONS, refused(account));
  expect((await call.send()).status).toBe(201);
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ open: true }]);
});

test('4.15.4 the calls of a batch come one after the other: the later one decides', async () => {
  const fixed = await supplier.importAccount();
  const broken = await supplier.importAccount();
  const { importTransactions } = trpcClient(service.url, supplier.token).dataImport;
  const call = (body: unknown) => importTransactions.mutate(body as never).catch(() => undefined);
  await Promise.all([refused(fixed), accepted(fixed), accepted(broken), refused(broken)].map(call));
  expect(await rowsOf(fixed.externalAccountNumber)).toMatchObject([{ open: false }]);
  expect(await rowsOf(broken.externalAccountNumber)).toMatchObject([{ open: true }]);
});

test('4.15.4 a success on one instance resolves what another has refused before it is answered, even if it writes nothing', async () => {
  const other = restCalls((await service.startInstance()).url, supplier.token);
  const account = await supplier.importAccount();
  const body = accepted(account);
  for (const _ of ['added', 'already there']) {
    await supplier.post(TRANSACTIONS, refused(account));
    expect((await other.post(TRANSACTIONS, body)).status).toBe(201);
    expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ open: false }]);
  }
  const { external_account_number, ...valid } = supplier.account();
  await supplier.post('validate-account/', { ...valid, external_account_number, customers: [] });
  expect((await other.post('validate-account/', { ...valid, external_account_number })).status).toBe(200);
  expect(await rowsOf(external_account_number)).toMatchObject([{ open: false }]);
});

test('4.15.4 of concurrent refusals and successes each is counted, and the last one decides', async () => {
  const account = await supplier.importAccount();
  const bodies = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? refused(account) : accepted(account)));
  await Promise.all(bodies.map((body) => supplier.post(TRANSACTIONS, body)));
  await supplier.post(TRANSACTIONS, accepted(account));
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ operation: 'transactions', open: false }]);
  await supplier.post(TRANSACTIONS, refused(account));
  expect(await rowsOf(account.externalAccountNumber)).toMatchObject([{ open: true, times: 1 }]);
});
