import { expect, test } from 'vitest';
import { meetAtAccount } from '../support/meet-at-account.ts';
import { type ImportedAccount, serviceOfFile } from '../support/test-service.ts';
import { charge, EVERY_TYPE } from './examples.ts';

// 23:30 on 20 April in London is 10:30 on 21 April in Auckland: the service's today is the 21st.
const NOW = '2026-04-20T22:30:00Z';
const TODAY = '2026-04-21';

const service = await serviceOfFile({ SERVICE_TIME_ZONE: 'Pacific/Auckland' });
service.setTime(NOW);
const supplier = await service.createSupplier();

const billedToMarch = { last_billed_to_date: '2026-03-31' };
const neverBilled = { last_billed_to_date: undefined };
const FORCE_FALSE = '?force_add_to_current_statement=false';

function importTransactions({ reference }: ImportedAccount, transactions: unknown[], query = '') {
  return supplier.post(`transactions/create/${query}`, { ...reference, transactions });
}

async function storedIn({ id }: ImportedAccount) {
  const { prisma } = service.database;
  const [transactions, notes] = await Promise.all([
    prisma.transaction.findMany({ where: { account_import_id: id }, orderBy: { id: 'asc' } }),
    prisma.note.findMany({ where: { account_import_id: id }, orderBy: { id: 'asc' } }),
  ]);
  return { transactions, notes };
}

test.each([
  ['the day after last_billed_to_date', billedToMarch, '2026-04-01'],
  ['today, in the time zone of the service', billedToMarch, TODAY],
])('2.5 transaction_date within the open statement period is kept: %s', async (_what, account, transaction_date) => {
  const imported = await supplier.importAccount(account);
  const sent = charge('T-1', { transaction_date });
  const { status, body } = await importTransactions(imported, [sent], FORCE_FALSE);
  expect(status).toBe(201);
  expect(body.results[0].transaction_data).toEqual({ ...sent, amount: '76.54' });
  const { transactions, notes } = await storedIn(imported);
  expect(transactions).toMatchObject([
    { transaction_date: new Date(transaction_date), original_transaction_date: null, description: null },
  ]);
  expect(notes).toEqual([]);
});

test.each([
  ['before it, to its first day', billedToMarch, '2026-03-31', '2026-04-01'],
  ['after it, to today', billedToMarch, '2026-04-22', TODAY],
  ['before the day of creation, to that day', neverBilled, '2026-04-20', TODAY],
])(
  '4.5 force_add_to_current_statement moves a date %s, with a description and a pinned note',
  async (_what, account, sentDate, day) => {
    const imported = await supplier.importAccount(account);
    const sent = charge('T-1', { transaction_date: sentDate });
    const { status, body } = await importTransactions(imported, [sent]);
    expect(status).toBe(201);
    const { description } = body.results[0].transaction_data;
    expect(body.results).toEqual([
      {
        status: 'TRANSACTION_ADDED_TO_ACCOUNT',
        transaction_data: { ...sent, amount: '76.54', transaction_date: day, description },
      },
    ]);
    expect(description).toContain(sentDate);
    const { transactions, notes } = await storedIn(imported);
    expect(transactions).toMatchObject([
      { transaction_date: new Date(day), original_transaction_date: new Date(sentDate), description },
    ]);
    expect(notes).toMatchObject([{ is_pinned: true, unpin_at: null, created_at: new Date(NOW) }]);
    for (const word of ['T-1', sentDate, day]) {
      expect(notes[0]?.body).toContain(word);
    }
  },
);

test('4.5.5 force_add_to_current_statement pins one note a request, which names what was moved and nothing else', async () => {
  const account = await supplier.importAccount(billedToMarch);
  const transactions = [
    charge('T-1', { transaction_date: '2026-03-01' }),
    charge('T-2', { transaction_date: '2026-04-02' }),
    { transaction_id: 'T-3', transaction_date: '2026-05-01', ...EVERY_TYPE.SUPPLY_CHARGE },
  ];
  await importTransactions(account, transactions);
  const { notes } = await storedIn(account);
  const body = [
    `2 transactions were moved into the open statement period (2026-04-01 to ${TODAY}):`,
    'Transaction T-1: sent with 2026-03-01, added on 2026-04-01.',
    `Transaction T-3: sent with 2026-05-01, added on ${TODAY}.`,
  ].join('\n');
  expect(notes).toMatchObject([{ body, is_pinned: true, is_generated: true }]);
  // The same request again is known: it neither moves nor pins anything.
  const again = await importTransactions(account, transactions);
  expect(again.body.results[0]).toMatchObject({
    status: 'TRANSACTION_ALREADY_EXISTS',
    transaction_data: { transaction_date: '2026-04-01', description: expect.stringContaining('2026-03-01') },
  });
  expect(again.body.results[0].differences).toBeUndefined();
  expect((await storedIn(account)).notes).toHaveLength(1);
});

test('4.5.5 the note on ten thousand moved transactions names the first fifty and counts the others', async () => {
  const account = await supplier.importAccount(billedToMarch);
  const transactions = Array.from({ length: 10_000 }, (_, index) =>
    charge(`T-${index}`, { transaction_date: '2026-01-01' }),
  );
  expect((await importTransactions(account, transactions)).status).toBe(201);
  const { notes } = await storedIn(account);
  expect(notes).toHaveLength(1);
  const lines = notes[0]?.body?.split('\n') ?? [];
  expect(lines).toHaveLength(52);
  expect(lines[0]).toContain('10000 transactions were moved');
  expect(lines[50]).toContain('T-49');
  expect(lines[51]).toBe('And 9950 more.');
});

test('2.4.8 a note that the service wrote is told apart from one that was sent', async () => {
  const account = await supplier.importAccount(billedToMarch);
  await supplier.post('notes/create/', { ...account.reference, notes: [{ body: 'Sent', is_pinned: true }] });
  await importTransactions(account, [charge('T-1', { transaction_date: '2026-03-01' })]);
  const { notes } = await storedIn(account);
  expect(notes.map(({ is_generated }) => is_generated)).toEqual([false, true]);
});

test('4.5 force_add_to_current_statement=false refuses a date outside with the body of 4.5, and adds nothing', async () => {
  const account = await supplier.importAccount(billedToMarch);
  const outside = charge('T-2', { transaction_date: '2026-03-31' });
  const later = charge('T-3', { transaction_date: '2026-04-22' });
  const { status, body } = await importTransactions(account, [charge('T-1'), outside, later], FORCE_FALSE);
  expect([status, body.code]).toEqual([400, 'transaction_outside_open_statement_period']);
  expect(body.transaction_data).toEqual({ ...outside, amount: '76.54' });
  expect(body.errors).toMatchObject([{ detail: body.error_detail, attr: 'transactions.1.transaction_date' }]);
  for (const word of ['T-2', '2026-03-31', '2026-04-01', TODAY]) {
    expect(body.error_detail).toContain(word);
  }
  expect(await storedIn(account)).toEqual({ transactions: [], notes: [] });
});

test('4.5 equal requests at once move a date once and pin one note', async () => {
  const account = await supplier.importAccount(billedToMarch);
  const outside = charge('T-1', { transaction_date: '2026-01-01' });
  const calls = Array.from({ length: 8 }, () => () => importTransactions(account, [outside]));
  const answers = await meetAtAccount(service.database, account.id, calls);
  expect(answers.filter(({ body }) => body.results[0].status === 'TRANSACTION_ADDED_TO_ACCOUNT')).toHaveLength(1);
  const { transactions, notes } = await storedIn(account);
  expect([transactions.length, notes.length]).toEqual([1, 1]);
});
