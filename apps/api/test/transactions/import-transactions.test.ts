import type { ImportTransactionsResponse, TransactionResult } from '@causeway/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { meetAtAccount } from '../support/meet-at-account.ts';
import { restCalls } from '../support/rest-calls.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { ImportedAccount, TestSupplier } from '../support/test-supplier.ts';
import { charge, EVERY_TYPE } from './examples.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  service.setTime('2026-04-20T11:30:00Z');
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

function importTransactions({ reference }: Pick<ImportedAccount, 'reference'>, transactions: unknown[], query = '') {
  return supplier.post(`transactions/create/${query}`, { ...reference, transactions });
}

function storedTransactions({ id }: ImportedAccount) {
  return service.database.prisma.transaction.findMany({ where: { account_import_id: id }, orderBy: { id: 'asc' } });
}

/** The stored amounts as PostgreSQL writes them: no number of JavaScript in between. */
async function storedAmounts({ id }: ImportedAccount): Promise<string[]> {
  const text = 'SELECT amount::text FROM transactions WHERE account_import_id = $1 ORDER BY id';
  const { rows } = await service.database.pool.query<{ amount: string }>(text, [id]);
  return rows.map(({ amount }) => amount);
}

const statusesOf = (body: ImportTransactionsResponse) => body.results.map(({ status }) => status);
const ADDED = 'TRANSACTION_ADDED_TO_ACCOUNT';
const EXISTS = 'TRANSACTION_ALREADY_EXISTS';

test.each(Object.entries(EVERY_TYPE))(
  '2.5 type %s is stored with all fields of the type and shown as sent',
  async (_, sent) => {
    const account = await supplier.importAccount();
    const transaction = { transaction_id: 'T-1', transaction_date: '2026-04-05', ...sent };
    const { status, body } = await importTransactions(account, [transaction]);
    expect(status).toBe(201);
    const shown = { ...transaction, amount: sent.amount.toFixed(2) };
    expect(body).toEqual({ results: [{ status: ADDED, transaction_data: shown }] });
    const [stored] = await storedTransactions(account);
    const { amount: _amount, ...fields } = transaction;
    expect(stored).toMatchObject({ ...fields, transaction_date: new Date('2026-04-05'), description: null });
    expect(await storedAmounts(account)).toEqual([sent.amount.toFixed(2)]);
    // Read again, it is what it was: no field and no decimal got lost on its way through the database.
    const again = await importTransactions(account, [transaction]);
    const transaction_data = { ...shown, status: 'TRANSACTION_IMPORT_SUCCESS' };
    expect(again.body).toEqual({ results: [{ status: EXISTS, transaction_data }] });
  },
);

test('4.5 answers 201 with results in the order of the request, TRANSACTION_ADDED_TO_ACCOUNT, and an audit row', async () => {
  const account = await supplier.importAccount();
  const { body } = await importTransactions(account, [charge('B'), charge('A'), charge('C')]);
  const shown = body.results.map(({ transaction_data }: TransactionResult) => transaction_data.transaction_id);
  expect(shown).toEqual(['B', 'A', 'C']);
  const where = { subject_id: account.id, action: 'transactions_imported' };
  expect(await service.database.prisma.auditEvent.findMany({ where })).toMatchObject([
    { actor: 'supplier', subject: 'account_import', detail: { transactions: 3 } },
  ]);
});

test.each([
  ['0.1', 0.1, '0.10'],
  ['0.01', 0.01, '0.01'],
  ['1.1', 1.1, '1.10'],
  ['1.005 would round', 1.01, '1.01'],
  ['the largest', 99_999_999_999.99, '99999999999.99'],
  ['a negative correction', -42.5, '-42.50'],
  ['the smallest', -99_999_999_999.99, '-99999999999.99'],
  ['an integer', 7, '7.00'],
])('2.5 amount is exact to the penny, a decimal string with two places in the response: %s', async (_, sent, text) => {
  const account = await supplier.importAccount();
  const { status, body } = await importTransactions(account, [charge('T-1', { amount: sent })]);
  expect(status).toBe(201);
  expect(body.results[0].transaction_data.amount).toBe(text);
  expect(await storedAmounts(account)).toEqual([text]);
});

test('2.5 amount of a thousand transactions adds up in the database to the penny', async () => {
  const account = await supplier.importAccount();
  const pence = Array.from({ length: 1000 }, (_, index) => (index * 7919) % 999_983).map((value) => value + 1);
  await importTransactions(
    account,
    pence.map((value, index) => charge(`T-${index}`, { amount: value / 100 })),
  );
  const text = 'SELECT (sum(amount) * 100)::bigint AS pence FROM transactions WHERE account_import_id = $1';
  const { rows } = await service.database.pool.query(text, [account.id]);
  expect(Number(rows[0].pence)).toBe(pence.reduce((sum, value) => sum + value, 0));
});

const refusedFields: [string, Record<string, unknown>, string, string][] = [
  ['amount zero', { amount: 0 }, 'amount', 'invalid'],
  ['amount null', { amount: null }, 'amount', 'null'],
  ['amount as text', { amount: '10.00' }, 'amount', 'invalid'],
  ['amount with three decimals', { amount: 0.001 }, 'amount', 'max_decimal_places'],
  ['amount of 10^11', { amount: 100_000_000_000 }, 'amount', 'max_value'],
  ['PAYMENT with a negative amount', { ...EVERY_TYPE.PAYMENT, amount: -1 }, 'amount', 'min_value'],
  ['PAYMENT of zero', { ...EVERY_TYPE.PAYMENT, amount: 0 }, 'amount', 'min_value'],
  ['REPAYMENT with a negative amount', { ...EVERY_TYPE.REPAYMENT, amount: -0.01 }, 'amount', 'min_value'],
  ['type unknown', { type: 'REFUND' }, 'type', 'invalid_choice'],
  ['type in small letters', { type: 'charge' }, 'type', 'invalid_choice'],
  ['CHARGE without reason', { reason: undefined }, 'reason', 'required'],
  ['reason in small letters', { reason: 'imported charge' }, 'reason', 'invalid'],
  ['transaction_id empty', { transaction_id: '' }, 'transaction_id', 'blank'],
  ['transaction_id as a number', { transaction_id: 1 }, 'transaction_id', 'invalid'],
  ['transaction_date with a time', { transaction_date: '2026-04-05T00:00:00Z' }, 'transaction_date', 'invalid_date'],
  ['transaction_date of 31 June', { transaction_date: '2026-06-31' }, 'transaction_date', 'invalid_date'],
  [
    'SUPPLY_CHARGE without line_items',
    { ...EVERY_TYPE.SUPPLY_CHARGE, line_items: undefined },
    'line_items',
    'required',
  ],
  ['SUPPLY_CHARGE with no line_items', { ...EVERY_TYPE.SUPPLY_CHARGE, line_items: [] }, 'line_items', 'empty'],
  [
    'SUPPLY_CHARGE without product_code',
    { ...EVERY_TYPE.SUPPLY_CHARGE, product_code: undefined },
    'product_code',
    'required',
  ],
  [
    'line_items start_date after end_date',
    {
      ...EVERY_TYPE.SUPPLY_CHARGE,
      line_items: [{ start_date: '2026-04-02', end_date: '2026-04-01', number_of_units: 1, net_amount: 1 }],
    },
    'line_items.0.start_date',
    'start_date_later_than_end_date',
  ],
  [
    'tax_items without rate',
    {
      ...EVERY_TYPE.SUPPLY_CHARGE,
      tax_items: [{ amount: 1, tax_type: 'VAT', value_taxed: 1, unit_type: 'PROPORTION' }],
    },
    'tax_items.0.rate',
    'required',
  ],
];
test.each(refusedFields)(
  '2.5 %s is refused, naming the field, and nothing is added',
  async (_what, wrong, field, code) => {
    const account = await supplier.importAccount();
    const failing = { ...charge('BAD'), ...wrong };
    const { status, body } = await importTransactions(account, [charge('GOOD'), failing]);
    expect(status).toBe(400);
    expect(body.code).toBe('request_failed_validation');
    expect(body.errors).toMatchObject([{ attr: `transactions.1.${field}`, code }]);
    expect(await storedTransactions(account)).toEqual([]);
  },
);

test('4.5 a 400 has transaction_data of the first failing transaction, error_detail and TRANSACTION_IMPORT_ERROR', async () => {
  const account = await supplier.importAccount();
  const wrong = [charge('T-1'), charge('T-2', { amount: 0 }), charge('T-3', { type: 'NONE' })];
  const { status, body } = await importTransactions(account, wrong);
  expect(status).toBe(400);
  expect(body).toMatchObject({ status: 'TRANSACTION_IMPORT_ERROR', transaction_data: wrong[1] });
  expect(body.error_detail).toBe(body.errors[0].detail);
  expect(body.errors.map(({ attr }: { attr: string }) => attr)).toEqual([
    'transactions.1.amount',
    'transactions.2.type',
  ]);
  expect(await storedTransactions(account)).toEqual([]);
});

test.each([
  ['none', []],
  ['10,001', Array.from({ length: 10_001 }, (_, index) => charge(`T-${index}`))],
])('4.5 takes 1 to 10,000 transactions, not %s', async (_what, transactions) => {
  const account = await supplier.importAccount();
  const { status, body } = await importTransactions(account, transactions);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ attr: 'transactions' }]);
  expect(await storedTransactions(account)).toEqual([]);
});

test('4.5 takes 10,000 transactions in one request, and knows them all in the next', async () => {
  const account = await supplier.importAccount();
  const transactions = Array.from({ length: 10_000 }, (_, index) =>
    charge(`T-${index}`, { amount: (index + 1) / 100 }),
  );
  const first = await importTransactions(account, transactions);
  expect(first.status).toBe(201);
  expect(statusesOf(first.body).filter((status) => status === ADDED)).toHaveLength(10_000);
  const again = await importTransactions(account, transactions);
  expect(statusesOf(again.body).filter((status) => status === EXISTS)).toHaveLength(10_000);
  const sums =
    'SELECT count(*)::integer AS count, sum(amount)::text AS sum FROM transactions WHERE account_import_id = $1';
  const { rows } = await service.database.pool.query(sums, [account.id]);
  expect(rows).toEqual([{ count: 10_000, sum: '500050.00' }]);
});

test('4.5 check_previously_added skips what was added before: TRANSACTION_ALREADY_EXISTS, as stored, TRANSACTION_IMPORT_SUCCESS', async () => {
  const account = await supplier.importAccount();
  await importTransactions(account, [charge('T-1')]);
  const other = { transaction_id: 'T-1', transaction_date: '2026-04-06', ...EVERY_TYPE.PAYMENT, amount: 1 };
  const { status, body } = await importTransactions(account, [other, charge('T-2')], '?check_previously_added=true');
  expect(status).toBe(201);
  expect(body.results).toEqual([
    {
      status: EXISTS,
      transaction_data: { ...charge('T-1'), amount: '76.54', status: 'TRANSACTION_IMPORT_SUCCESS' },
    },
    { status: ADDED, transaction_data: { ...charge('T-2'), amount: '76.54' } },
  ]);
  expect((await storedTransactions(account)).map((row) => row.transaction_id)).toEqual(['T-1', 'T-2']);
});

test('4.5 check_previously_added skips a repeat inside one request', async () => {
  const account = await supplier.importAccount();
  const { body } = await importTransactions(account, [charge('T-1'), charge('T-1', { amount: 1 }), charge('t-1')]);
  expect(statusesOf(body)).toEqual([ADDED, EXISTS, ADDED]);
  expect(body.results[1].transaction_data).toMatchObject({ amount: '76.54', status: 'TRANSACTION_IMPORT_SUCCESS' });
  expect(await storedAmounts(account)).toEqual(['76.54', '76.54']);
});

test('4.5 check_previously_added looks at the one account only', async () => {
  const [one, other] = await Promise.all([supplier.importAccount(), supplier.importAccount()]);
  await importTransactions(one, [charge('T-1')]);
  const { body } = await importTransactions(other, [charge('T-1')]);
  expect(statusesOf(body)).toEqual([ADDED]);
});

test('4.5 check_previously_added=false adds the same transaction again, also inside one request', async () => {
  const account = await supplier.importAccount();
  await importTransactions(account, [charge('T-1')]);
  const { body } = await importTransactions(account, [charge('T-1'), charge('T-1')], '?check_previously_added=false');
  expect(statusesOf(body)).toEqual([ADDED, ADDED]);
  expect(await storedAmounts(account)).toEqual(['76.54', '76.54', '76.54']);
});

test.each(['1', 'TRUE', 'yes', '', 'null'])(
  '4.5 check_previously_added=%s is refused: true and false only',
  async (value) => {
    const account = await supplier.importAccount();
    const { status, body } = await importTransactions(account, [charge('T-1')], `?check_previously_added=${value}`);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ attr: 'check_previously_added' }]);
    expect(await storedTransactions(account)).toEqual([]);
  },
);

test('4.5 a query parameter that stands in the body is not one: it is named as undocumented', async () => {
  const account = await supplier.importAccount();
  await importTransactions(account, [charge('T-1')]);
  const request = { ...account.reference, transactions: [charge('T-1')], check_previously_added: false };
  const { status, body, headers } = await supplier.post('transactions/create/', request);
  expect(status).toBe(201);
  expect(statusesOf(body)).toEqual([EXISTS]);
  expect(headers.get('Undocumented-Fields')).toBe('check_previously_added');
});

test('4.5 answers 400 account_not_found where the account is staged only or absent', async () => {
  const staged = await supplier.stage();
  for (const external_account_number of [staged, 'ABSENT']) {
    const reference = { import_supplier: supplier.code, external_account_number };
    const { status, body } = await importTransactions({ reference }, [charge('T-1')]);
    expect([status, body.code]).toEqual([400, 'account_not_found']);
    expect(body.errors).toMatchObject([{ attr: 'external_account_number' }]);
  }
});

test('4.5 does not let another organisation add to the account', async () => {
  const account = await supplier.importAccount();
  const foreign = await service.createSupplier();
  const request = { ...account.reference, transactions: [charge('T-1')] };
  const { status, body } = await foreign.post('transactions/create/', request);
  expect([status, body.code]).toEqual([400, 'import_supplier_does_not_exist']);
  expect(await storedTransactions(account)).toEqual([]);
});

test('4.5 equal requests at once over two instances add once; different ones all add', async () => {
  const account = await supplier.importAccount();
  const instance = await service.startInstance();
  const callers = [supplier, restCalls(instance.url, supplier.token)];
  const equal = { ...account.reference, transactions: [charge('T-1'), charge('T-2')] };
  const requests = Array.from({ length: 10 }, (_, index) => [
    equal,
    { ...account.reference, transactions: [charge(`D-${index}`, { amount: index + 1 })] },
  ]).flat();
  const calls = requests.map(
    (request, index) => async () => callers[(index >> 1) % 2]?.post('transactions/create/', request),
  );
  const answers = await meetAtAccount(service.database, account.id, calls);
  expect(answers.map((answer) => answer?.status)).toEqual(requests.map(() => 201));
  const added = answers.flatMap((answer) => statusesOf(answer?.body)).filter((status) => status === ADDED);
  expect(added).toHaveLength(2 + 10);
  const ids = (await storedTransactions(account)).map((row) => row.transaction_id);
  expect(ids.sort()).toEqual([...Array.from({ length: 10 }, (_, index) => `D-${index}`), 'T-1', 'T-2'].sort());
});

test('4.5 answers over tRPC what it answers over REST', async () => {
  const account = await supplier.importAccount();
  const request = { ...account.reference, transactions: [charge('T-1')] };
  expect(await supplier.trpc.dataImport.importTransactions.mutate(request)).toEqual({
    results: [{ status: ADDED, transaction_data: { ...charge('T-1'), amount: '76.54' } }],
  });
  const again = await supplier.trpc.dataImport.importTransactions.mutate(request);
  expect(again).toEqual((await supplier.post('transactions/create/', request)).body);
  const wrong = { ...account.reference, transactions: [charge('T-2', { amount: 0 })] };
  const { body } = await supplier.post('transactions/create/', wrong);
  await expect(supplier.trpc.dataImport.importTransactions.mutate(wrong)).rejects.toMatchObject({
    data: { error: body },
  });
});
