import { accountImportId } from '@causeway/domain';
import { afterAll, afterEach, expect, test } from 'vitest';
import { holdAccounts, holdAccountsIn, killSession } from '../account-imports/held-accounts.ts';
import { allRows } from '../support/all-rows.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { restCalls, startTestService, until } from '../support/test-service.ts';
import { startHeldVendor } from './held-vendor.ts';
import { CLOSED, HISTORY, NOW, PROCESS } from './support.ts';

const STAGE = 'account-import-process/create-or-update/';

const vendor = await startHeldVendor();
const service = await startTestService({ PAYMENT_VENDORS: JSON.stringify(['SANDBOX', vendor.settings]) });
const urls = [service.url, (await service.startInstance()).url];
await holdAccountsIn(service.database);
service.setTime(NOW);
const supplier = await service.createSupplier();
afterEach(() => {
  vendor.onAsked = () => Promise.resolve();
});
afterAll(async () => {
  await service.stop();
  vendor.close();
});

const watched = (reference: string) => ({
  ...HISTORY,
  historical_transactions: CLOSED,
  payment_instruction: { vendor: 'WATCHED', reference, type: 'CARD' },
});
const processOn = (index: number, number: string, options: { headers?: Record<string, string>; body?: object } = {}) =>
  restCalls(urls[index % urls.length] as string, supplier.token).post(
    PROCESS,
    { ...supplier.processRequest(number), ...options.body },
    options.headers,
  );
const asksOf = (reference: string) => vendor.asked.filter((each) => each === reference).length;

/** How many rows of each kind the account has. */
async function countsOf(number: string): Promise<Record<string, number>> {
  const tables = ['accounts', 'customers', 'notes', 'transactions', 'statements', 'payment_instructions'];
  const counts = tables.map(
    (table) => `(SELECT count(*)::integer FROM ${table} WHERE account_import_id = $1) AS ${table}`,
  );
  const { rows } = await service.database.pool.query(`SELECT ${counts.join(', ')}`, [
    accountImportId(supplier.code, number),
  ]);
  return rows[0];
}
const NOTHING = { accounts: 0, customers: 0, notes: 0, transactions: 0, statements: 0, payment_instructions: 0 };
const WHOLE = { accounts: 1, customers: 1, notes: 4, transactions: 9, statements: 2, payment_instructions: 1 };

const importOf = (number: string) =>
  service.database.prisma.accountImport.findUniqueOrThrow({ where: { id: accountImportId(supplier.code, number) } });

test('4.17.6 no transaction is open and no slot or account is locked while the vendor is asked', async () => {
  // Locks of an account and of a slot end with their transaction.
  const openTransactions = async () => {
    const { rows } = await service.database.pool.query(
      `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    );
    return rows.length;
  };
  // What an instance does in the background ends; what waited for the vendor would not.
  vendor.onAsked = async () => {
    await until(async () => (await openTransactions()) === 0);
  };
  for (const marked of [false, true]) {
    for (const dry_run of [true, false]) {
      const number = await supplier.stage(watched(`open-${marked}-${dry_run}`));
      const headers: Record<string, string> = marked ? { 'Idempotency-Key': `watched-${number}` } : {};
      const { status, body } = await processOn(0, number, { headers, body: { dry_run } });
      expect(body.code ?? status).toBe(dry_run ? 'dry_run_rolled_back' : 201);
    }
  }
  expect(vendor.asked).toHaveLength(4);
});

test('4.17.6 a slot is free while the vendor is asked', async () => {
  const limited = await service.createSupplier({ process_concurrency_limit: 1 });
  const [number, other] = [await limited.stage(watched('slow')), await limited.stage()];
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  vendor.onAsked = () => {
    asked.resolve();
    return answer.promise;
  };
  const waiting = limited.post(PROCESS, limited.processRequest(number));
  await asked.promise;
  expect((await limited.post(PROCESS, limited.processRequest(other))).status).toBe(201);
  answer.resolve();
  expect((await waiting).status).toBe(201);
});

test('4.17.6 the account opens its statement period on the day on which its history was decided', async () => {
  const number = await supplier.stage({
    ...watched('midnight'),
    last_billed_to_date: undefined,
    historical_transactions: undefined,
  });
  vendor.onAsked = () => {
    service.setTime(new Date(Date.parse(NOW) + 86_400_000).toISOString());
    return Promise.resolve();
  };
  expect((await processOn(0, number)).status).toBe(201);
  service.setTime(NOW);
  const where = { account_import_id: accountImportId(supplier.code, number) };
  const { open_statement_from } = await service.database.prisma.account.findUniqueOrThrow({ where });
  const { _min } = await service.database.prisma.transaction.aggregate({ where, _min: { transaction_date: true } });
  expect(_min.transaction_date).toEqual(open_statement_from);
});

test('4.17.6 an instruction that the vendor refuses refuses the account, which stays as it was staged', async () => {
  const twins = [await supplier.stage(watched('404-a')), await supplier.stage(watched('404-b'))] as const;
  const input = { ...supplier.processRequest(''), external_account_number: twins[0] };
  const { status, body } = await sameOverTrpc(supplier, 'processAccount', { twins, input });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    code: 'payment_vendor_rejected',
    errors: [{ code: 'payment_vendor_rejected', attr: 'payment_instruction.reference' }],
  });
  for (const number of twins) {
    expect(await countsOf(number)).toEqual(NOTHING);
    expect(await importOf(number)).toMatchObject({ state: 'STAGED', attempts: 0, last_error: null });
  }
});

test('4.17.6 of two instructions the vendor is asked about each, and the one that it refuses is named', async () => {
  const of = (reference: string, type: string) => ({ vendor: 'WATCHED', reference, type });
  const both = (second: string) => ({
    ...watched(''),
    payment_instruction: undefined,
    payment_instructions: [of('first-of-two', 'CARD'), of(second, 'DIRECT_DEBIT')],
  });
  const refused = await supplier.stage(both('404-second'));
  expect((await processOn(0, refused)).body).toMatchObject({
    code: 'payment_vendor_rejected',
    errors: [{ attr: 'payment_instructions.1.reference' }],
  });
  expect(await countsOf(refused)).toEqual(NOTHING);
  const number = await supplier.stage(both('second-of-two'));
  expect((await processOn(0, number)).status).toBe(201);
  expect(await countsOf(number)).toEqual({ ...WHOLE, payment_instructions: 2 });
});

test('4.17.6 after an intermittent failure of the vendor the same request creates the account', async () => {
  const number = await supplier.stage(watched('503-then-fine'));
  const { status, body } = await processOn(0, number);
  expect([status, body.code]).toEqual([500, 'payment_vendor_unavailable']);
  expect(await countsOf(number)).toEqual(NOTHING);
  expect(await importOf(number)).toMatchObject({ state: 'STAGED', attempts: 0 });
  await supplier.post(STAGE, supplier.account({ ...watched('fine'), external_account_number: number }));
  expect((await processOn(0, number)).status).toBe(201);
  expect(await countsOf(number)).toEqual(WHOLE);
});

test('4.17.7 staged again while the vendor is asked, the account is created from what was staged last', async () => {
  const number = await supplier.stage(watched('first'));
  vendor.onAsked = async (reference) => {
    if (reference !== 'first') return;
    const again = {
      ...supplier.account(watched('second')),
      external_account_number: number,
      notes: [{ body: 'Last' }],
    };
    expect((await supplier.post(STAGE, again)).status).toBe(200);
  };
  expect((await processOn(0, number)).status).toBe(201);
  const where = { account_import_id: accountImportId(supplier.code, number) };
  expect(await service.database.prisma.note.findMany({ where })).toMatchObject([{ body: 'Last' }, { is_pinned: true }]);
  expect(await service.database.prisma.paymentInstruction.findFirst({ where })).toMatchObject({ reference: 'second' });
});

test('4.17.7 twenty calls over two instances create the account and its history once', async () => {
  const number = await supplier.stage(watched('twenty'));
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => processOn(index, number)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const others = answers.filter(({ status }) => status !== 201);
  for (const { body } of others) expect(body.code).toBe('account_import_process_already_imported');
  expect(await countsOf(number)).toEqual(WHOLE);
});

test('4.17.7 if the first call dies while it writes, nothing of it is left and the waiting one creates all of it', async () => {
  using hold = await holdAccounts(service.database);
  const number = await supplier.stage({ ...watched('dying'), customers: [{ family_name: hold.familyName }] });
  const dying = processOn(0, number);
  const [holder] = await hold.waitFor(1);
  const waiting = processOn(1, number);
  await killSession(service.database, Number(holder));
  expect((await dying).status).toBe(503);
  await hold.waitFor(1);
  expect(await countsOf(number)).toEqual(NOTHING);
  await hold.release();
  expect((await waiting).status).toBe(201);
  expect(await countsOf(number)).toEqual(WHOLE);
});

test('4.17.8 a dry run of an account with its history leaves nothing in any table', async () => {
  const [number, refused] = [await supplier.stage(watched('dry')), await supplier.stage(watched('410-dry'))];
  const before = await allRows(service.database);
  const dry = { body: { dry_run: true } };
  expect((await processOn(0, number, dry)).body.code).toBe('dry_run_rolled_back');
  expect(asksOf('dry')).toBe(1);
  expect(await allRows(service.database)).toEqual(before);
  expect((await processOn(0, refused, dry)).body.code).toBe('payment_vendor_rejected');
  expect(await countsOf(refused)).toEqual(NOTHING);
});

test('4.17.9 with an Idempotency-Key the vendor is asked once, and repeats get the first answer', async () => {
  const number = await supplier.stage(watched('keyed'));
  const headers = { 'Idempotency-Key': `keyed-${number}` };
  const first = await processOn(0, number, { headers });
  expect(first.status).toBe(201);
  expect(await processOn(1, number, { headers })).toMatchObject({ status: 201, body: first.body });
  expect(asksOf('keyed')).toBe(1);
  expect(await countsOf(number)).toEqual(WHOLE);
  const refused = { number: await supplier.stage(watched('404-keyed')), headers: { 'Idempotency-Key': 'keyed-404' } };
  const [one, again] = [await processOn(0, refused.number, refused), await processOn(1, refused.number, refused)];
  expect([one.body.code, again.status, again.body]).toEqual(['payment_vendor_rejected', one.status, one.body]);
  expect(asksOf('404-keyed')).toBe(1);
});

test('4.17.9 with an Idempotency-Key an account is created with instructions of 20 types, each asked for once', async () => {
  const payment_instructions = Array.from({ length: 20 }, (_, index) => ({
    ...{ vendor: 'WATCHED', reference: `keyed-type-${index}`, type: `TYPE_${index}` },
  }));
  const number = await supplier.stage({ ...watched(''), payment_instruction: undefined, payment_instructions });
  const headers = { 'Idempotency-Key': `types-${number}` };
  for (const times of [0, 1]) expect((await processOn(times, number, { headers })).status).toBe(201);
  expect(payment_instructions.map(({ reference }) => asksOf(reference))).toEqual(Array(20).fill(1));
  expect(await countsOf(number)).toEqual({ ...WHOLE, payment_instructions: 20 });
});
