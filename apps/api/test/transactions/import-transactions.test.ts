import type { ImportTransactionsResponse, TransactionResult } from '@causeway/contracts';
import { expect, test } from 'vitest';
import { meetAtAccount } from '../support/meet-at-account.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { type ImportedAccount, restCalls, serviceOfFile } from '../support/test-service.ts';
import { charge, EVERY_TYPE } from './examples.ts';

const service = await serviceOfFile();
service.setTime('2026-04-20T11:30:00Z');
const supplier = await service.createSupplier();

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

/** What each of some types takes, for the others too (behaviour 2.5.1). */
const SEEN_ON_SOME = {
  ...{ display_note: 'For you', note: 'For us', reference: 'NW 0001482', payment_type: 'DEBIT_CARD' },
  ...{ product_code: 'E-1R', supply_point_identifier: '19000' },
  ...{ reverses: 'T-0', to_prepay_meter_serial_number: '21L3948871' },
  tax_items: [{ amount: '0.5', tax_type: 'VAT', value_taxed: 10, rate: 0.05, unit_type: 'PROPORTION' }],
};

test.each(Object.entries(EVERY_TYPE))(
  '2.5 2.5.1 type %s is stored with all fields of the type, takes what is seen on other types too, and is shown as sent',
  async (_, sent) => {
    const account = await supplier.importAccount();
    const own = { transaction_id: 'T-1', transaction_date: '2026-04-05', ...sent };
    const transactions = [own, { ...SEEN_ON_SOME, ...own, transaction_id: 'T-2' }];
    const { status, body, headers } = await importTransactions(account, transactions);
    expect([status, headers.get('Undocumented-Fields')]).toEqual([201, null]);
    const amount = sent.amount.toFixed(2);
    const shown = transactions.map((transaction) => ({ ...transaction, amount }));
    expect(body).toEqual({ results: shown.map((transaction_data) => ({ status: ADDED, transaction_data })) });
    const stored = { transaction_date: new Date('2026-04-05'), description: null };
    const fields = transactions.map(({ amount: _amount, ...transaction }) => ({ ...transaction, ...stored }));
    expect(await storedTransactions(account)).toMatchObject(fields);
    expect(await storedAmounts(account)).toEqual([amount, amount]);
    // Read again, it is what it was: no field and no decimal got lost on its way through the database.
    const again = await importTransactions(account, transactions);
    const known = shown.map((transaction) => ({ ...transaction, status: 'TRANSACTION_IMPORT_SUCCESS' }));
    expect(again.body).toEqual({ results: known.map((transaction_data) => ({ status: EXISTS, transaction_data })) });
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
  ['the largest', 99_999_999_999.99, '99999999999.99'],
  ['a negative correction', -42.5, '-42.50'],
  ['an integer', 7, '7.00'],
  ['a correction with leading zeros and one decimal, as a string', '-007.5', '-7.50'],
])('2.5 amount is exact to the penny, a decimal string with two places in the response: %s', async (_, sent, text) => {
  const account = await supplier.importAccount();
  const { status, body } = await importTransactions(account, [charge('T-1', { amount: sent })]);
  expect(status).toBe(201);
  expect(body.results[0].transaction_data.amount).toBe(text);
  expect(await storedAmounts(account)).toEqual([text]);
});

test('2.2.6 prices, units, net amounts and taxes of ten decimals are stored exactly and shown as sent, also as strings', async () => {
  const account = await supplier.importAccount();
  const period = { start_date: '2026-03-01', end_date: '2026-03-31' };
  const line_items = [
    { ...period, number_of_units: 1234.1234567891, net_amount: 0.1234567891, price_per_unit: 1e-10, units: [1e-7, 2] },
    {
      ...period,
      number_of_units: '99999999.9999999999',
      net_amount: '-99999999999.9999999999',
      units: ['0.0500', 1.5],
    },
  ];
  const tax = { tax_type: 'VAT', unit_type: 'PROPORTION' };
  const tax_items = [
    { ...tax, amount: 0.0000000001, value_taxed: '99999999999.9999999999', rate: 0.0512345678 },
    { ...tax, amount: '12.3456', value_taxed: 3, rate: '0.2000000000' },
  ];
  const sent = {
    ...EVERY_TYPE.SUPPLY_CHARGE,
    transaction_id: 'T-1',
    transaction_date: '2026-04-05',
    line_items,
    tax_items,
  };
  const { status, body } = await importTransactions(account, [sent]);
  expect(status).toBe(201);
  expect(body.results[0].transaction_data).toMatchObject({ line_items, tax_items });
  const text = `SELECT line_items #>> '{0,number_of_units}' AS units, line_items #>> '{0,price_per_unit}' AS price,
    (line_items #>> '{1,net_amount}')::numeric::text AS net, tax_items #>> '{0,amount}' AS tax
    FROM transactions WHERE account_import_id = $1`;
  const { rows } = await service.database.pool.query(text, [account.id]);
  const stored = {
    units: '1234.1234567891',
    price: '0.0000000001',
    net: '-99999999999.9999999999',
    tax: '0.0000000001',
  };
  expect(rows).toEqual([stored]);
  const again = await importTransactions(account, [sent]);
  expect(again.body.results[0].transaction_data).toMatchObject({ line_items, tax_items });
});

test('2.5.8 a supply charge has up to 10,000 lines, and a line as many units', async () => {
  const account = await supplier.importAccount();
  const [line] = EVERY_TYPE.SUPPLY_CHARGE.line_items;
  const many = <Item>(count: number, item: Item) => new Array<Item>(count).fill(item);
  const supplyCharge = (line_items: unknown[]) => ({ ...charge('T-1'), ...EVERY_TYPE.SUPPLY_CHARGE, line_items });
  const halfHours = { ...line, units: many(10_000, 0.0123456789) };
  const { status } = await importTransactions(account, [supplyCharge([halfHours, ...many(9_999, line)])]);
  expect(status).toBe(201);
  const [stored] = await storedTransactions(account);
  expect(stored?.line_items).toHaveLength(10_000);
  expect(stored).toMatchObject({ line_items: expect.arrayContaining([halfHours]) });
  const tooMany = { ...line, units: many(10_001, 1) };
  const tooLong = { ...supplyCharge(many(10_001, line)), transaction_id: 'T-2' };
  const { body } = await importTransactions(account, [supplyCharge([tooMany]), tooLong]);
  expect(body.errors).toMatchObject([
    { attr: 'transactions.0.line_items.0.units', code: 'max_items' },
    { attr: 'transactions.1.line_items', code: 'max_items' },
  ]);
});

test('2.5.3 2.5.7 a bounced payment is a negative one that names the payment; zero is an amount; a repayment is not negative', async () => {
  const [account, twin] = [await supplier.importAccount(), await supplier.importAccount()];
  const dated = { transaction_date: '2026-04-05' };
  const transactions = [
    { transaction_id: 'T-1', ...dated, type: 'PAYMENT', amount: 10.1 },
    { transaction_id: 'T-2', ...dated, type: 'PAYMENT', amount: '-10.10', reverses: 'T-1', payment_type: 'DD_FAILED' },
    ...Object.entries(EVERY_TYPE).map(([type, fields]) => ({ ...dated, ...fields, transaction_id: type, amount: 0 })),
  ];
  const input = { ...account.reference, transactions };
  const twins = [account.externalAccountNumber, twin.externalAccountNumber] as const;
  expect((await sameOverTrpc(supplier, 'importTransactions', { input, twins })).status).toBe(201);
  const number = await supplier.stage({ transactions });
  const processed = await supplier.post('account-import-process/process/', supplier.processRequest(number));
  expect(processed.status).toBe(201);
  for (const one of [account.externalAccountNumber, twin.externalAccountNumber, number]) {
    const { figures } = (await supplier.get(`accounts/${supplier.code}/${one}/`)).body;
    expect(figures.transactions).toMatchObject({
      ...{ count: 7, sum: '0.00' },
      by_type: { PAYMENT: { count: 3, sum: '0.00' }, REPAYMENT: { count: 1, sum: '0.00' } },
    });
    const { body } = await supplier.get(`accounts/${supplier.code}/${one}/transactions/`);
    const bounced = body.find(({ transaction_id }: { transaction_id: string }) => transaction_id === 'T-2');
    expect(bounced).toEqual({ ...transactions[1], amount: '-10.10' });
  }
  const repaid = charge('T-3', { ...EVERY_TYPE.REPAYMENT, amount: '-0.01' });
  const { status, body } = await importTransactions(account, [repaid]);
  expect([status, body.errors]).toMatchObject([400, [{ attr: 'transactions.0.amount', code: 'min_value' }]]);
  expect(body.error_detail).toContain('“How to write a refund”');
});

test('2.5.10 where zero amounts are omitted, single calls refuse them by name, and store the others', async () => {
  const omitting = await service.createSupplier({ of: supplier, zero_amounts: 'OMIT' });
  const account = await omitting.importAccount();
  const transactions = [charge('T-1'), charge('T-2', { amount: '0.00' })];
  const input = { ...account.reference, transactions };
  const refused = await sameOverTrpc(omitting, 'importTransactions', { input });
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { transaction_data: transactions[1], errors: [{ attr: 'transactions.1.amount', code: 'zero_amount' }] },
  ]);
  expect(refused.body.error_detail).toContain('“How to write a zero line”');
  for (const path of ['validate-account/', 'account-import-process/create-or-update/']) {
    const { status, body } = await omitting.post(path, omitting.account({ transactions }));
    expect([status, body.errors]).toMatchObject([400, [{ attr: 'transactions.1.amount', code: 'zero_amount' }]]);
  }
  expect(await storedTransactions(account)).toEqual([]);
  await service.staff.importSuppliers.update.mutate({ code: omitting.code, zero_amounts: 'KEEP' });
  expect((await omitting.post('transactions/create/', input)).status).toBe(201);
  expect(await storedAmounts(account)).toEqual(['76.54', '0.00']);
});

test('2.5 4.5 what breaks a rule is refused, naming the field, and nothing is added: the 400 has transaction_data of the first failing transaction, error_detail and TRANSACTION_IMPORT_ERROR', async () => {
  const account = await supplier.importAccount();
  const wrong = [charge('T-1'), charge('T-2', { amount: 0.001 }), charge('T-3', { type: 'NONE' })];
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
  [100, '100 problems'],
  [150, 'the first 100 of 150 problems'],
  [5_000, 'the first 100 of at least 1,000 problems'],
])('7.2.3 of %d problems 100 are reported, and the sentence says how many there are', async (count, words) => {
  const account = await supplier.importAccount();
  const transactions = Array.from({ length: count }, (_, index) => charge(`T-${index}`, { amount: 0.001 }));
  const { status, body } = await importTransactions(account, transactions);
  expect([status, body.errors.length]).toEqual([400, 100]);
  expect(body.detail).toBe(`The payload failed validation: ${words}, see errors.`);
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
      differences: expect.arrayContaining(['amount', 'type', 'payment_type']),
    },
    { status: ADDED, transaction_data: { ...charge('T-2'), amount: '76.54' } },
  ]);
  expect((await storedTransactions(account)).map((row) => row.transaction_id)).toEqual(['T-1', 'T-2']);
});

test('4.5.13 a transaction_id repeated in one request with other values refuses it, naming the transaction and the field', async () => {
  const account = await supplier.importAccount();
  const other = charge('T-1', { amount: 12.3 });
  const transactions = [charge('T-1'), charge('T-2'), other, charge('T-2', { display_note: undefined })];
  const { status, body } = await importTransactions(account, transactions);
  expect([status, body.code]).toEqual([400, 'request_failed_validation']);
  expect(body).toMatchObject({ status: 'TRANSACTION_IMPORT_ERROR', transaction_data: other });
  expect(body.errors).toMatchObject([
    { attr: 'transactions.2.amount', code: 'repeated_with_other_values' },
    { attr: 'transactions.3.display_note', code: 'repeated_with_other_values' },
  ]);
  for (const word of ['T-1', 'twice in this request', 'amount', 'transactions.0']) {
    expect(body.error_detail).toContain(word);
  }
  expect(await storedTransactions(account)).toEqual([]);
  const asAsked = await importTransactions(account, transactions, '?check_previously_added=false');
  expect(statusesOf(asAsked.body)).toEqual([ADDED, ADDED, ADDED, ADDED]);
});

test('4.5.14 a known transaction sent again with other values is skipped, and the fields that differ are named', async () => {
  const account = await supplier.importAccount();
  const supply = { transaction_id: 'S-1', transaction_date: '2026-04-05', ...EVERY_TYPE.SUPPLY_CHARGE };
  await importTransactions(account, [charge('T-1'), charge('T-2'), supply]);
  const before = await storedTransactions(account);
  const [line] = EVERY_TYPE.SUPPLY_CHARGE.line_items;
  const { note: _left, ...withoutNote } = charge('T-2');
  const { status, body } = await importTransactions(account, [
    charge('T-1', { amount: 76.55, transaction_date: '2026-04-06', reference: 'R' }),
    withoutNote,
    { ...supply, line_items: [line, { ...line, net_amount: 1 }] },
    charge('T-3'),
  ]);
  expect(status).toBe(201);
  const differing = body.results.map(({ status, differences }: TransactionResult) => [status, differences]);
  expect(differing).toEqual([
    [EXISTS, ['transaction_date', 'amount', 'reference']],
    [EXISTS, ['note']],
    [EXISTS, ['line_items']],
    [ADDED, undefined],
  ]);
  expect(await storedTransactions(account)).toEqual(expect.arrayContaining(before));
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
