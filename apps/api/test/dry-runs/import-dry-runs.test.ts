import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { allRows } from '../support/all-rows.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { serviceOfFile } from '../support/test-service.ts';
import { charge } from '../transactions/examples.ts';

const service = await serviceOfFile();
service.setTime('2026-04-20T11:30:00Z');
const supplier = await service.createSupplier();

const instruction = { vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' };

const IMPORTS = {
  importNotes: ['notes/create/', { notes: [{ body: 'x', is_pinned: true }] }],
  importTransactions: [
    'transactions/create/',
    { transactions: [charge('T-1'), charge('T-2', { transaction_date: '2020-01-01' })] },
  ],
  importStatements: ['historical-statements/create/', { statements: [statement('ST-1')] }],
  importPaymentInstruction: ['payment-instruction/create/', instruction],
} as const;
const imports = Object.entries(IMPORTS) as [keyof typeof IMPORTS, (typeof IMPORTS)[keyof typeof IMPORTS]][];

async function rowsOfData() {
  const { _prisma_migrations: _of, audit_events, accounts, ...rows } = await allRows(service.database);
  const data = ['notes', 'transactions', 'statements', 'payment_instructions'].map((table) => rows[table]);
  return { data, audit_events, accounts };
}

test.each(imports)(
  '4.14.1 %s with dry_run does everything and rolls it back: the answer is what would have been answered',
  async (procedure, [path, data]) => {
    const { reference } = await supplier.importAccount();
    const before = await rowsOfData();
    const { status, body } = await supplier.post(path, { ...reference, ...data, dry_run: true });
    expect([status, body.code, body.errors]).toEqual([400, 'dry_run_rolled_back', []]);
    expect(await rowsOfData()).toEqual(before);
    const done = await supplier.post(path, { ...reference, ...data, dry_run: false });
    expect([done.status, done.body]).toEqual([201, body.would_answer]);
    // What exists already is not done again, and a dry run says so too.
    const again = await sameOverTrpc(supplier, procedure, { input: { ...reference, ...data, dry_run: true } });
    const repeated = await supplier.post(path, { ...reference, ...data });
    expect([again.body.code, again.body.would_answer]).toEqual(['dry_run_rolled_back', repeated.body]);
  },
);

test.each(imports)('4.14.2 a dry run of %s that would fail is answered with that failure', async (_, [path, data]) => {
  const staged = await supplier.stage();
  const request = { import_supplier: supplier.code, external_account_number: staged, ...data };
  const dry = await supplier.post(path, { ...request, dry_run: true });
  const real = await supplier.post(path, request);
  expect([dry.status, dry.body]).toEqual([real.status, real.body]);
  expect(dry.body.code).toBe('account_not_found');
});

test('4.14.2 a dry run fails as the import would: a date outside, other values, another instruction, the vendor', async () => {
  const { reference } = await supplier.importAccount();
  await supplier.post('historical-statements/create/', { ...reference, statements: [statement('ST-1')] });
  const outside = { ...reference, transactions: [charge('T', { transaction_date: '2020-01-01' })] };
  const calls = [
    ['transactions/create/?force_add_to_current_statement=false', outside, 'transaction_outside_open_statement_period'],
    [
      'historical-statements/create/',
      { ...reference, statements: [statement('ST-1', { number: '2' })] },
      'historical_statement_already_exists',
    ],
    [
      'payment-instruction/create/',
      { ...reference, ...instruction, reference: 'pm_missing' },
      'payment_vendor_rejected',
    ],
  ] as const;
  for (const [path, body, code] of calls) {
    const answer = await supplier.post(path, { ...body, dry_run: true });
    expect([path, answer.status, answer.body.code]).toEqual([path, 400, code]);
  }
});

test.each(['true', 1, null])('4.14.3 dry_run is a boolean, not %j', async (dry_run) => {
  const { reference } = await supplier.importAccount();
  for (const [, [path, data]] of imports) {
    const { status, body } = await supplier.post(path, { ...reference, ...data, dry_run });
    expect([path, status, body.errors]).toMatchObject([path, 400, [{ attr: 'dry_run' }]]);
  }
});

test('4.14.4 with an Idempotency-Key the answer of a dry run is kept, and the import needs a key of its own', async () => {
  const { reference, id } = await supplier.importAccount();
  const request = { ...reference, notes: [{ body: 'x' }] };
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await supplier.post('notes/create/', { ...request, dry_run: true }, key);
  expect([first.status, first.body.code]).toEqual([400, 'dry_run_rolled_back']);
  expect(await service.database.prisma.note.count({ where: { account_import_id: id } })).toBe(0);
  const repeat = await supplier.post('notes/create/', { ...request, dry_run: true }, key);
  expect([repeat.status, repeat.body]).toEqual([400, first.body]);
  expect((await supplier.post('notes/create/', request, key)).status).toBe(422);
});

test('4.5.14 known data sent again with other values is remembered as a problem, by its field and without a value', async () => {
  const { reference, id } = await supplier.importAccount();
  await supplier.post('transactions/create/', { ...reference, transactions: [charge('T-1'), charge('T-2')] });
  const other = [charge('T-1', { amount: 1 }), charge('T-2', { amount: 2, display_note: 'Secret' })];
  const dry = await supplier.post('transactions/create/', { ...reference, transactions: other, dry_run: true });
  expect(dry.body.would_answer.results).toMatchObject([{ differences: ['amount'] }, {}]);
  const text = 'SELECT operation, code, errors FROM account_import_refusals WHERE account_import_id = $1';
  const remembered = async () => (await service.database.pool.query(text, [id])).rows;
  expect(await remembered()).toEqual([]);
  await supplier.post('transactions/create/', { ...reference, transactions: other });
  const [row, ...others] = await remembered();
  expect(others).toEqual([]);
  expect(row).toMatchObject({ operation: 'transactions', code: 'existing_data_differs' });
  expect(JSON.stringify(row.errors)).toContain('transactions.*.display_note');
  expect(JSON.stringify(row.errors)).not.toContain('Secret');
});

const refused = { errors: [{ attr: 'dry_run', code: 'undocumented_field' }] };

test.each(['validateAccount', 'stageAccount', 'accountStatus', 'listAccountImports', 'listPendingImports'] as const)(
  '4.14.5 %s has no dry run: the word is refused for every supplier, over REST and over tRPC',
  async (procedure) => {
    const number = await supplier.stage();
    const inputs = {
      validateAccount: supplier.account(),
      stageAccount: supplier.account(),
      accountStatus: { import_supplier_code: supplier.code, external_account_number: number },
      listAccountImports: { import_supplier_code: supplier.code },
      listPendingImports: { import_supplier_code: supplier.code },
    };
    const input: Record<string, unknown> = inputs[procedure];
    for (const dry_run of [true, false, 'yes', null]) {
      // A GET has it in its query.
      const { status, body } = await (procedure in bodies
        ? sameOverTrpc(supplier, procedure, { input: { ...input, dry_run } })
        : supplier.get(`${paths(number)[procedure]}?dry_run=${dry_run}`));
      expect([status, body]).toMatchObject([400, refused]);
    }
    const overTrpc = supplier.trpc.dataImport[procedure as 'accountStatus'].query as (
      input: unknown,
    ) => Promise<unknown>;
    if (!(procedure in bodies)) {
      await expect(overTrpc({ ...input, dry_run: true })).rejects.toMatchObject({ data: { error: refused } });
    }
  },
);

const bodies: Record<string, true> = { validateAccount: true, stageAccount: true };
const paths = (number: string): Record<string, string> => ({
  accountStatus: `account-transfer-status/${supplier.code}/${number}/`,
  listAccountImports: `all-account-import-processes/${supplier.code}/`,
  listPendingImports: `pending-account-import-processes/${supplier.code}/`,
});

test('4.14.5 a staging that was meant as a dry run stores nothing, whatever else is undocumented', async () => {
  const before = await allRows(service.database);
  const account = supplier.account();
  const strays = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`stray_${index}`, 1]));
  const path = 'account-import-process/create-or-update/';
  const inBody = await supplier.post(path, { ...account, ...strays, dry_run: true });
  const inQuery = await supplier.post(`${path}?dry_run=true`, account);
  for (const { status, body } of [inBody, inQuery]) {
    expect([status, body]).toMatchObject([400, refused]);
    expect(body.errors[0].detail).toBe('This call has no dry run. Nothing was done.');
  }
  const after = await allRows(service.database);
  expect(after.account_imports).toEqual(before.account_imports);
});

test('4.14.5 dry_run in the query of a call that takes it in its body is refused, and nothing is done', async () => {
  const number = await supplier.stage();
  const { reference, id: account_import_id } = await supplier.importAccount();
  const calls = {
    'account-import-process/process/': supplier.processRequest(number),
    'notes/create/': { ...reference, notes: [{ body: 'x' }] },
  };
  for (const [path, body] of Object.entries(calls)) {
    const answer = await supplier.post(`${path}?dry_run=true`, body);
    expect([path, answer.status, answer.body]).toMatchObject([path, 400, refused]);
    expect(answer.body.errors[0].detail).toBe('`dry_run` belongs in the body of this request. Nothing was done.');
  }
  const { note, accountImport } = service.database.prisma;
  expect(await note.count({ where: { account_import_id } })).toBe(0);
  const staged = { external_account_number: number, state: 'COMPLETED' } as const;
  expect(await accountImport.count({ where: staged })).toBe(0);
});
