import { readFileSync } from 'node:fs';
import path from 'node:path';
import { accountImportId } from '@causeway/domain';
import { expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { rowsOfAccount } from '../support/rows-of-account.ts';
import { serviceOfFile } from '../support/test-service.ts';
import { charge, EVERY_TYPE } from '../transactions/examples.ts';
import { CLOSED, create, HISTORY, NOW, PROCESS, statement } from './support.ts';

const STAGE = 'account-import-process/create-or-update/';

const service = await serviceOfFile();
service.setTime(NOW);
const supplier = await service.createSupplier();

/** The problems that validate reports, which stage must report too, over REST and tRPC. */
async function problemsOf(history: Record<string, unknown>): Promise<string[]> {
  const input = supplier.account(history);
  const { status, body } = await sameOverTrpc(supplier, 'validateAccount', { input });
  const staged = await sameOverTrpc(supplier, 'stageAccount', { input });
  expect([status, staged.status]).toEqual([400, 400]);
  expect(staged.body).toEqual(body);
  expect(body.code).toBe('account_failed_validation');
  return body.errors.map(({ attr, code }: Record<string, string>) => `${attr}: ${code}`);
}

async function stored(table: 'notes' | 'transactions' | 'accounts', number: string) {
  const text = `SELECT * FROM ${table} WHERE account_import_id = $1 ORDER BY 2`;
  return (await service.database.pool.query(text, [accountImportId(supplier.code, number)])).rows;
}

test('4.17.1 validate answers with the history as it was sent, and stages nothing of it', async () => {
  const input = supplier.account({ ...HISTORY, historical_transactions: CLOSED, last_statement_balance: '48.20' });
  const before = await allRows(service.database);
  const { status, body } = await sameOverTrpc(supplier, 'validateAccount', { input });
  expect(status).toBe(200);
  expect(body).toEqual(input);
  expect(await allRows(service.database)).toEqual(before);
});

test('4.17.1 all problems of a history are reported with those of the account, each with its path', async () => {
  const [line, ...lines] = EVERY_TYPE.SUPPLY_CHARGE.line_items;
  const supply = { ...EVERY_TYPE.SUPPLY_CHARGE, line_items: [{ ...line, units: 'many' }, ...lines] };
  const identified = { transaction_id: 'T', transaction_date: '2026-04-01' };
  const problems = await problemsOf({
    customers: [{ family_name: 'Hartley', landline: '1' }],
    notes: [{ body: 'x' }, { is_pinned: true }],
    transactions: [
      charge('A'),
      charge('B'),
      charge(' C'),
      { ...identified, ...supply },
      { ...identified, type: 'GIFT' },
    ],
    historical_transactions: [charge('D', { transaction_date: '2026-03-01' }), charge('E ', { amount: '1.234' })],
    statements: [statement('S\u200b', { issued_date: '2026-02-30', number: '1' })],
    payment_instruction: { vendor: 'NOBODY', reference: ' pm_1' },
  });
  expect(problems.toSorted()).toEqual(
    [
      'customers.0.landline: invalid_phone_number',
      'notes.1.body: note_body_or_document_path_not_found',
      'transactions.2.transaction_id: surrounding_white_space',
      'transactions.3.line_items.0.units: not_a_list',
      'transactions.4.type: invalid_choice',
      'historical_transactions.0.transaction_date: historical_transaction_not_billed',
      'historical_transactions.1.amount: max_decimal_places',
      'historical_transactions.1.transaction_id: surrounding_white_space',
      'historical_transactions.1.transaction_date: historical_transaction_not_billed',
      'statements.0.issued_date: invalid_date',
      'statements.0.statement_id: invalid_characters',
      'payment_instruction.vendor: invalid_choice',
      'payment_instruction.reference: surrounding_white_space',
      'payment_instruction.type: required',
    ].toSorted(),
  );
});

test.each([
  ['notes', Array(1_001).fill({ body: 'x' })],
  ['transactions', Array(10_001).fill(charge('T'))],
  ['historical_transactions', Array(10_001).fill(charge('T'))],
  ['statements', Array(1_001).fill(statement('S'))],
])('4.17.1 %s has the limit of its own request', async (field, items) => {
  expect(await problemsOf({ [field]: items })).toEqual([`${field}: max_items`]);
});

test('4.17.1 a transaction is open or closed, not both', async () => {
  const both = [charge('A', { transaction_date: '2026-02-01' }), charge('B', { transaction_date: '2026-02-01' })];
  const open = [charge('C'), charge('B')];
  expect(await problemsOf({ transactions: open, historical_transactions: both })).toEqual([
    'transactions.1.transaction_id: contradicts_another_field',
  ]);
  const ledger = { current_statement_transactions: open, historical_statement_transactions: both };
  expect(await problemsOf({ ledgers: [ledger] })).toEqual([
    'ledgers.0.current_statement_transactions.1.transaction_id: contradicts_another_field',
  ]);
});

test('4.17.1 what the import of statements would refuse is refused before the account is staged', async () => {
  const statements = [statement('ST-1'), statement('ST-2'), statement('ST-1', { gross_amount: 1 })];
  const [problem, ...others] = await problemsOf({ statements });
  expect(problem).toMatch(/^statements\.2\.\w+: \w+$/);
  expect(others).toEqual([]);
});

test('4.17.4 without last_billed_to_date, closed history ends today', async () => {
  const dated = (transaction_date: string) => charge(transaction_date, { transaction_date });
  const last_billed_to_date = undefined;
  const historical_transactions = [dated('2026-04-20'), dated('2026-04-21')];
  expect(await problemsOf({ last_billed_to_date, historical_transactions })).toEqual([
    'historical_transactions.1.transaction_date: historical_transaction_not_billed',
  ]);
  const ledgers = [{ historical_statement_transactions: historical_transactions }];
  expect(await problemsOf({ last_billed_to_date, ledgers })).toEqual([
    'ledgers.0.historical_statement_transactions.1.transaction_date: historical_transaction_not_billed',
  ]);
});

test('4.17.5 a ledger and a list of one instruction are stored like the other spelling', async () => {
  const { transactions, payment_instruction, ...history } = HISTORY;
  const last_statement_balance = '48.20';
  const usual = await create(supplier, { ...HISTORY, historical_transactions: CLOSED, last_statement_balance });
  const ledger = {
    current_statement_transactions: transactions,
    historical_statement_transactions: CLOSED,
    last_statement_balance,
  };
  const other = await create(supplier, {
    ...history,
    ledgers: [ledger],
    payment_instructions: [payment_instruction],
  });
  expect([usual.answer.status, other.answer.status]).toEqual([201, 201]);
  const rowsOf = async (number: string) => {
    const id = accountImportId(supplier.code, number);
    const rows = [await stored('notes', number), await stored('transactions', number)].flat();
    const instruction = await service.database.prisma.paymentInstruction.findFirst({
      where: { account_import_id: id },
    });
    return [...rows, instruction].map((row) => ({ ...row, id: 0, account_import_id: 0 }));
  };
  expect(await rowsOf(other.number)).toEqual(await rowsOf(usual.number));
  for (const { number } of [usual, other]) {
    expect(await stored('accounts', number)).toMatchObject([{ last_statement_balance: '48.20' }]);
  }
});

test('4.17.5 an account is created with one instruction of each type, and all of them are read back', async () => {
  const direct = { vendor: 'SANDBOX', reference: 'pm_ok_2', type: 'DIRECT_DEBIT' };
  const payment_instructions = [direct, HISTORY.payment_instruction];
  const { number, answer } = await create(supplier, {
    ...HISTORY,
    payment_instruction: undefined,
    payment_instructions,
  });
  expect(answer.status).toBe(201);
  const path = `accounts/${supplier.code}/${number}/`;
  expect((await supplier.get(path)).body.figures.payment_instructions).toBe(2);
  expect((await supplier.get(`${path}payment-instructions/`)).body).toMatchObject(payment_instructions.toReversed());
  const where = { subject_id: accountImportId(supplier.code, number), action: 'payment_instruction_imported' };
  expect(await service.database.prisma.auditEvent.count({ where })).toBe(2);
});

test('4.17.5 a second ledger, or instruction of one type, is refused by its path, and so are both spellings', async () => {
  const instruction = HISTORY.payment_instruction;
  const other = { ...instruction, type: 'DIRECT_DEBIT' };
  const payment_instructions = [instruction, other, { ...instruction, reference: 'pm_ok_2' }];
  expect(await problemsOf({ ledgers: [{}, {}, {}], payment_instructions })).toEqual([
    'ledgers.1: max_items',
    'ledgers.2: max_items',
    'payment_instructions.2: max_items',
  ]);
  const types = Array.from({ length: 21 }, (_, index) => ({ ...instruction, type: `TYPE_${index}` }));
  expect(await problemsOf({ payment_instructions: types })).toEqual(['payment_instructions: max_items']);
  const wrong = [instruction, { vendor: 'NOBODY', reference: 'pm ', type: 'DIRECT_DEBIT' }];
  expect((await problemsOf({ payment_instructions: wrong })).toSorted()).toEqual([
    'payment_instructions.1.reference: surrounding_white_space',
    'payment_instructions.1.vendor: invalid_choice',
  ]);
  const both = { ledgers: [{}], transactions: [], last_statement_balance: '1', payment_instruction: instruction };
  expect(await problemsOf({ ...both, payment_instructions: [instruction] })).toEqual([
    'transactions: history_spelled_twice',
    'last_statement_balance: history_spelled_twice',
    'payment_instruction: history_spelled_twice',
  ]);
});

test('4.17.2 staging again replaces the history, and takes it away if it is left out', async () => {
  const number = await supplier.stage(HISTORY);
  const again = { ...supplier.account({ external_account_number: number }), notes: [{ body: 'Last' }] };
  expect((await supplier.post(STAGE, again)).status).toBe(200);
  expect(await stored('notes', number)).toEqual([]);
  expect((await supplier.post(PROCESS, supplier.processRequest(number))).status).toBe(201);
  expect(await stored('notes', number)).toMatchObject([{ body: 'Last' }]);
  expect(await stored('transactions', number)).toEqual([]);

  const emptied = await supplier.stage(HISTORY);
  await supplier.post(STAGE, supplier.account({ external_account_number: emptied }));
  expect((await supplier.post(PROCESS, supplier.processRequest(emptied))).status).toBe(201);
  expect(await stored('notes', emptied)).toEqual([]);
});

test('4.17.3 lists without items are a history too, and an account is created with them', async () => {
  const nothing = { notes: [], transactions: [], historical_transactions: [], ledgers: [], statements: [] };
  const { number, answer } = await create(supplier, { ...nothing, payment_instructions: [] });
  expect(answer.status).toBe(201);
  const where = { subject_id: accountImportId(supplier.code, number) };
  const events = await service.database.prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
  expect(events.map(({ action }) => action)).toEqual(['staged', 'processed']);
});

test('4.17.10 the history is not kept among the details of the account', async () => {
  const ledgers = [{ current_statement_transactions: HISTORY.transactions }];
  const payment_instructions = [HISTORY.payment_instruction];
  const [plain, bundle, ledger] = [
    await create(supplier),
    await create(supplier, { ...HISTORY, historical_transactions: CLOSED, last_statement_balance: '0' }),
    await create(supplier, { ledgers, payment_instructions }),
  ];
  const [{ details }] = await stored('accounts', plain.number);
  expect(await stored('accounts', bundle.number)).toMatchObject([{ details }]);
  const [row] = await stored('accounts', ledger.number);
  expect(row.details).toEqual(details);
});

test('4.17.10 an erasure clears the history of a created account, and of one that is only staged', async () => {
  const person = { notes: [{ body: 'Zephyrine' }], transactions: [charge('T', { note: 'Zephyrine' })] };
  const [staged, { number }] = [await supplier.stage(person), await create(supplier, person)];
  for (const external_account_number of [staged, number]) {
    await service.staff.accounts.erase.mutate({ code: supplier.code, external_account_number, reason: 'Ticket 1' });
  }
  expect(JSON.stringify(await allRows(service.database))).not.toContain('Zephyrine');
  expect(await stored('notes', number)).toMatchObject([{ body: '[erased]' }]);
});

test('4.17.11 later imports know what the account was created with', async () => {
  const { number } = await create(supplier, { ...HISTORY, historical_transactions: CLOSED });
  const reference = { import_supplier: supplier.code, external_account_number: number };
  const send = async (path: string, content: object) => (await supplier.post(path, { ...reference, ...content })).body;
  const { notes, statements, payment_instruction } = HISTORY;
  expect(await send('notes/create/', { notes: [notes[0]] })).toMatchObject([{ status: 'NOTE_ALREADY_EXISTS' }]);
  const { results } = await send('transactions/create/', { transactions: [HISTORY.transactions[0], CLOSED[0]] });
  expect(results.map(({ status }: { status: string }) => status)).toEqual(Array(2).fill('TRANSACTION_ALREADY_EXISTS'));
  expect(await send('historical-statements/create/', { statements })).toMatchObject({ statements });
  expect(await send('payment-instruction/create/', payment_instruction)).toMatchObject({ reference: 'pm_ok_1' });
  expect(await stored('transactions', number)).toHaveLength(9);
});

/** Ids, random numbers, how the payload was packed, and what counts the separate calls. */
const OF_CHANCE = ['id', 'account_import_id', 'subject_id', 'service_account_number', 'staging_order', 'request_id'];
const DIFFERENT = [
  ...OF_CHANCE,
  'completion_order',
  'payload_size',
  'external_account_number',
  'revision',
  'identifier',
];

async function rowsOf(number: string, { code } = supplier): Promise<Record<string, unknown[]>> {
  const {
    audit_events = [],
    account_imports = [],
    // What is remarked of it belongs to the account, and of a call to its records.
    account_import_refusals: _,
    ...rows
  } = await rowsOfAccount(service.database, accountImportId(code, number), DIFFERENT);
  const namesOf = (detail: unknown) => Object.keys(Object(detail));
  return {
    ...rows,
    account_imports: account_imports.map((row) => ({ ...row, payload: undefined })),
    audit_events: audit_events.map((row) =>
      row.action === 'processed' ? { ...row, detail: namesOf(row.detail) } : row,
    ),
  };
}

test('4.17.3 an account with its history has the rows and the audit events that the seven calls leave', async () => {
  const { number, answer } = await create(supplier, HISTORY);
  expect(answer.status).toBe(201);
  const { externalAccountNumber, reference } = await supplier.importAccount();
  const { notes, transactions, statements, payment_instruction } = HISTORY;
  for (const [path, content] of Object.entries({
    'notes/create/': { notes },
    'transactions/create/': { transactions },
    'historical-statements/create/': { statements },
    'payment-instruction/create/': payment_instruction,
  })) {
    expect((await supplier.post(path, { ...reference, ...content })).status).toBe(201);
  }
  const bundle = await rowsOf(number);
  expect(bundle).toEqual(await rowsOf(externalAccountNumber));
  expect(Object.keys(bundle)).toContain('customers');
  expect(bundle).toMatchObject({ notes: { length: 4 }, transactions: { length: 7 }, statements: { length: 2 } });
  expect(bundle.payment_instructions).toMatchObject([{ reference: 'pm_ok_1', details: { country: 'GB' } }]);
});

test('4.17.3 the rows are the same whether or not the accounts of the supplier were expected to carry a history', async () => {
  const another = await service.createSupplier();
  const account = { ...HISTORY, historical_transactions: CLOSED, payment_instruction: undefined };
  const [unexpected, expected] = [await create(another, account), await create(another, account)];
  const rows = await rowsOf(expected.number, another);
  expect(rows).toEqual(await rowsOf(unexpected.number, another));
  expect(rows).toMatchObject({ notes: { length: 4 }, transactions: { length: 9 }, statements: { length: 2 } });
});

test('4.17.4 closed history is stored and read back with the dates that were sent, beside the open transactions, and the balance of the last statement', async () => {
  const closed_history = { historical_transactions: CLOSED, last_statement_balance: '9' };
  const { number, answer } = await create(supplier, { ...HISTORY, ...closed_history });
  expect(answer.status).toBe(201);
  const path = `accounts/${supplier.code}/${number}/`;
  expect((await supplier.get(path)).body.account).toMatchObject({ last_statement_balance: '9.00' });
  const { transactions: rows = [], audit_events } = await rowsOf(number);
  const { body: shown } = await supplier.get(`${path}transactions/`);
  const first = { transaction_id: 'H-1', transaction_date: '2019-05-01' };
  const second = { transaction_id: 'H-2', transaction_date: '2026-02-28' };
  const asSent = { original_transaction_date: null, description: null };
  const closedOf = (all: unknown[]) => all.filter((each) => Object(each).is_historical);
  expect(closedOf(rows)).toMatchObject([first, second].map((row) => ({ ...row, ...asSent })));
  expect(closedOf(shown)).toMatchObject([
    { ...first, amount: '100.50' },
    { ...second, amount: '52.30' },
  ]);
  expect([rows.length, shown.length]).toEqual([9, 9]);
  const detail = { transactions: 7, historical_transactions: 2 };
  expect(audit_events).toContainEqual(expect.objectContaining({ action: 'transactions_imported', detail }));
});

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

/** The body of the first sample in the guide's chapter. */
function sampleOf(chapter: string): string {
  const text =
    readFileSync(path.join(import.meta.dirname, '../../src/openapi/guide.md'), 'utf8').split(`## ${chapter}\n`)[1] ??
    '';
  return / -d '(\{.*?\n {2}\})'/s.exec(text)?.[1] ?? '';
}

test('4.17.3 the sample of the guide is staged as it stands, and created with all of its history', async () => {
  const supplier = await service.createSupplier({ code: 'NORTHWIND-2026', balance_check: 'REFUSE' });
  const sample = sampleOf('An account with its history');
  expect((await supplier.post('account-import-process/create-or-update/', sample)).status).toBe(201);
  expect((await supplier.post(PROCESS, supplier.processRequest('NW-0001490'))).status).toBe(201);
  const { body } = await supplier.get('accounts/NORTHWIND-2026/NW-0001490/');
  expect(body).toMatchObject({
    figures: { notes: 1, transactions: { count: 2, sum: '104.88' }, statements: { count: 1, gross_total: '112.07' } },
    account: { last_statement_balance: '28.34', transfer_balance: '-48.20' },
  });
});
