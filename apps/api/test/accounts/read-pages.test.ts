import { once } from 'node:events';
import { request } from 'node:http';
import { AccountPayload, asStored } from '@causeway/contracts';
import {
  type Context,
  createImportSupplierDirectory,
  getAccount,
  listAccountTransactions,
  processAccount,
} from '@causeway/domain';
import { beforeAll, describe, expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { STAGE } from '../refusals/refused-calls.ts';
import { followPages } from '../support/follow-pages.ts';
import { serviceOfFile, until } from '../support/test-service.ts';
import { charge } from '../transactions/examples.ts';

const NOTES = 1_200;
const TRANSACTIONS = 2_300;
const STATEMENTS = 2_000;

const service = await serviceOfFile();
const supplier = await service.createSupplier();
const account = await supplier.importAccount();
const path = `accounts/${supplier.code}/${account.externalAccountNumber}/`;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(4, '0'));
const imports: [string, object][] = [
  ['notes/create/', { notes: numbered(1_000).map((body) => ({ body })) }],
  ['notes/create/', { notes: numbered(NOTES - 1_000).map((body) => ({ body: `more ${body}` })) }],
  ['transactions/create/', { transactions: numbered(TRANSACTIONS).map((id) => charge(`T-${id}`)) }],
  ['historical-statements/create/', { statements: numbered(1_000).map((id) => statement(`S-${id}`)) }],
  ['historical-statements/create/', { statements: numbered(1_000).map((id) => statement(`U-${id}`)) }],
];
beforeAll(async () => {
  for (const [to, body] of imports) {
    expect((await supplier.post(to, { ...account.reference, ...body })).status).toBe(201);
  }
});

describe.each([
  { list: 'notes/', count: NOTES },
  { list: 'transactions/', count: TRANSACTIONS },
  { list: 'statements/', count: STATEMENTS },
])('$list', ({ list, count }) => {
  test('4.16.3 without limit is streamed whole, the same as its pages', async () => {
    const { status, body, headers } = await supplier.get(path + list);
    expect([status, headers.get('link')]).toEqual([200, null]);
    expect(body).toHaveLength(count);
    const pages = await followPages(supplier, `${path}${list}?limit=500`);
    expect(pages.flat()).toEqual(body);
    expect(pages).toHaveLength(Math.ceil(count / 500));
  });

  test('4.16.3 has no Link on its last page, even if that is full', async () => {
    expect(await followPages(supplier, `${path}${list}?limit=100`)).toHaveLength(count / 100);
  });
});

test('4.16.3 over tRPC a list continues after the last record', async () => {
  const { accounts } = supplier.trpc;
  const input = { import_supplier_code: supplier.code, external_account_number: account.externalAccountNumber };
  const notes = await accounts.notes.query({ ...input, after: NOTES - 2 });
  expect(notes.map(({ body }) => body)).toEqual(['more 0198', 'more 0199']);
  const transactions = await accounts.transactions.query({ ...input, after: 'T-2297' });
  expect(transactions.map(({ transaction_id }) => transaction_id)).toEqual(['T-2298', 'T-2299']);
  const statements = await accounts.statements.query({ ...input, after: 'U-0997' });
  expect(statements.map(({ statement_id }) => statement_id)).toEqual(['U-0998', 'U-0999']);
  expect(await accounts.transactions.query(input)).toHaveLength(1_000);
});

test('4.16.3 transactions with one transaction_id are numbered, and no page loses or repeats one', async () => {
  const { externalAccountNumber, reference } = await supplier.importAccount();
  const copies = ['A', 'B', 'B', 'B', 'B', 'B', 'C', 'C'].map((id, index) => charge(id, { amount: index + 1 }));
  const body = { ...reference, transactions: copies };
  expect((await supplier.post('transactions/create/?check_previously_added=false', body)).status).toBe(201);
  const list = `accounts/${supplier.code}/${externalAccountNumber}/transactions/`;
  const whole = (await supplier.get(list)).body;
  expect(
    whole.map(({ transaction_id, copy, amount }: Record<string, unknown>) => [transaction_id, copy, amount]),
  ).toEqual([
    ['A', undefined, '1.00'],
    ['B', undefined, '2.00'],
    ['B', 2, '3.00'],
    ['B', 3, '4.00'],
    ['B', 4, '5.00'],
    ['B', 5, '6.00'],
    ['C', undefined, '7.00'],
    ['C', 2, '8.00'],
  ]);
  for (const limit of [1, 2, 3, 4, 7, 8]) {
    expect((await followPages(supplier, `${list}?limit=${limit}`)).flat(), `limit ${limit}`).toEqual(whole);
  }
});

/** Noise, which is stored as large as it is sent. */
const noise = (length: number, seed: number) =>
  Array.from({ length }, (_, index) => ((index + 1) * (seed + 7_919) * 2_654_435_761) % 1_000_003).join(' ');

test('4.16.3 a page of large records ends early, and its Link leads on', async () => {
  const { externalAccountNumber, reference } = await supplier.importAccount();
  const notes = Array.from({ length: 12 }, (_, index) => ({ body: noise(9_000, index).slice(0, 60_000) }));
  expect((await supplier.post('notes/create/', { ...reference, notes })).status).toBe(201);
  const list = `accounts/${supplier.code}/${externalAccountNumber}/notes/`;
  const { body: page, headers } = await supplier.get(`${list}?limit=10`);
  expect(page.length).toBeGreaterThan(0);
  expect(page.length).toBeLessThan(10);
  expect(headers.get('link')).toContain(`after=${page.length}>`);
  const records = (await followPages(supplier, `${list}?limit=10`)).flat();
  expect(records.map((note) => Object(note).body)).toEqual(notes.map(({ body }) => body));
  expect((await supplier.get(list)).body).toEqual(records);
});

test('4.16.3 a reader that stops holds no database connection', async () => {
  const headers = { Authorization: `Token ${supplier.token}` };
  const calls = Array.from({ length: 8 }, () =>
    request(`${service.url}/v1/data-import/${path}transactions/`, { headers }).end(),
  );
  const responses = await Promise.all(calls.map((call) => once(call, 'response')));
  const { body } = await supplier.get(`${path}transactions/?limit=1`);
  expect(body).toHaveLength(1);
  await until(async () => {
    const { rows } = await service.database.pool.query(
      `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
    );
    return rows.length === 0;
  });
  for (const [response] of responses) response.destroy();
});

const MEGABYTE = 1024 * 1024;

/** By default just under the largest body. */
function largeAccount(external_account_number: string, count = 8_700) {
  const note = 'Söderström, Åsa: '.repeat(50);
  const transactions = Array.from({ length: count }, (_, index) =>
    charge(`T-${String(index).padStart(5, '0')}`, { amount: 0.01, note: `${index} ${note}` }),
  );
  const customers = Array.from({ length: 50 }, (_, index) => ({ family_name: `${note.slice(0, 100)}${index}` }));
  const { transfer_balance: _balance, ...account } = supplier.account({ external_account_number, customers });
  return { ...account, transactions };
}

/** A call of the supplier that counts its turns. */
function countingContext(): { context: Context; turns: () => string[] } {
  const turns: string[] = [];
  const clock = () => new Date();
  const context: Context = {
    database: service.database,
    clock,
    timeZone: 'Europe/London',
    bulk: { filesDays: 30, maxStoredBytes: 1024 ** 3 },
    documentBucket: 'bucket',
    importSuppliers: createImportSupplierDirectory(service.database, clock),
    paymentVendors: new Map(),
    actor: { kind: 'organisation', apiKeyId: supplier.organisationId, organisationId: supplier.organisationId },
    requestId: 'large',
    waitForTurn: async () => void turns.push('turn'),
    countAsLarge: async () => void turns.push('large'),
  };
  return { context, turns: () => turns.splice(0) };
}

test('4.16.2 4.16.3 an account of 10 MB is staged, created, and read back equal in pieces', async () => {
  const sent = largeAccount('LARGE-1');
  const text = JSON.stringify(sent);
  expect(Buffer.byteLength(text)).toBeGreaterThan(9 * MEGABYTE);
  expect(Buffer.byteLength(text)).toBeLessThan(10 * MEGABYTE);
  expect(await supplier.post(STAGE, text)).toMatchObject({ status: 201, body: { external_account_number: 'LARGE-1' } });
  const path = `accounts/${supplier.code}/LARGE-1/`;
  const staged = await supplier.get(path);
  const expected = asStored(AccountPayload, AccountPayload.parse(sent)) as { transactions: unknown[] };
  expect(staged.body.state).toBe('STAGED');
  expect(staged.body.account.transactions).toHaveLength(8_700);
  expect(staged.body.account).toEqual(expected);

  const created = await supplier.post('account-import-process/process/', supplier.processRequest('LARGE-1'));
  expect(created.status).toBe(201);
  const { body } = await supplier.get(path);
  const { transactions, ...account } = expected;
  expect(body.account).toEqual(account);
  expect(body.figures.transactions).toMatchObject({ count: 8_700, sum: '87.00' });
  const streamed = await supplier.get(`${path}transactions/`);
  const asSent = ({
    transaction_date,
    original_transaction_date,
    description: _by,
    ...others
  }: Record<string, unknown>) => ({
    ...others,
    transaction_date: original_transaction_date ?? transaction_date,
  });
  expect(streamed.body.map(asSent)).toEqual(transactions);
});

test('11.5.3 what is large of an account waits for its turn before the event loop is kept with it', async () => {
  const sent = largeAccount('LARGE-2', 1_200);
  expect((await supplier.post(STAGE, sent)).status).toBe(201);
  await supplier.stage({ external_account_number: 'SMALL-2' });
  const { context, turns } = countingContext();
  const key = (external_account_number: string) => ({ import_supplier_code: supplier.code, external_account_number });
  await getAccount(context, key('SMALL-2'));
  expect(turns()).toEqual([]);
  await getAccount(context, key('LARGE-2'));
  expect(turns()).toEqual(['large', 'turn', 'turn']);

  const process = (number: string) =>
    processAccount(context, { ...key(number), operations_team_name: supplier.teamName, dry_run: false });
  await process('SMALL-2');
  expect(turns()).toEqual([]);
  await process('LARGE-2');
  expect(turns()).toEqual(['turn']);

  let after: Record<string, unknown> | undefined = {};
  for (let pages = 0; after !== undefined; pages += 1) {
    const page = await listAccountTransactions(context, { ...key('LARGE-2'), limit: 500, ...after });
    expect(turns()).toEqual(['large', 'turn']);
    expect(JSON.stringify(page.records).length).toBeLessThan(2 * MEGABYTE);
    expect(pages).toBeLessThan(200);
    after = page.next;
  }
});
