import { AccountPayload, asStored } from '@causeway/contracts';
import {
  type Context,
  createImportSupplierDirectory,
  getAccount,
  listAccountTransactions,
  processAccount,
} from '@causeway/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STAGE } from '../refusals/refused-calls.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { charge } from '../transactions/examples.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

const MEGABYTE = 1024 * 1024;

/** Just under the largest body. */
function largeAccount(external_account_number: string) {
  const note = 'Söderström, Åsa: '.repeat(50);
  const transactions = Array.from({ length: 8_700 }, (_, index) =>
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
  const sent = largeAccount('LARGE-2');
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
