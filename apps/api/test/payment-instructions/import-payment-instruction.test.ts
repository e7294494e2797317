import { randomUUID } from 'node:crypto';
import { LIMITS } from '@causeway/contracts';
import { startFakeVendor } from '@causeway/testing';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { meetAtAccount } from '../support/meet-at-account.ts';
import { type ImportedAccount, restCalls, startTestService, until } from '../support/test-service.ts';

const NOW = '2026-04-20T11:30:00Z';
const DETAILS = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 };

/** The vendor ACME, whose requests can be counted. */
const vendor = await startFakeVendor();
const service = await startTestService({
  PAYMENT_VENDORS: JSON.stringify([
    'SANDBOX',
    { name: 'ACME', kind: 'http', base_url: vendor.url, secret: 'acme-secret' },
  ]),
});
service.setTime(NOW);
const supplier = await service.createSupplier({ undocumented_fields: 'KEEP' });
afterAll(async () => {
  await service.stop();
  await vendor.close();
});

function importInstruction(
  { reference: account }: Pick<ImportedAccount, 'reference'>,
  fields: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  const request = { ...account, vendor: 'SANDBOX', type: 'CARD', ...fields };
  return supplier.post('payment-instruction/create/', request, headers);
}

function stored({ id }: ImportedAccount) {
  return service.database.prisma.paymentInstruction.findMany({ where: { account_import_id: id } });
}

function vendorKnows(reference: string, type = 'CARD'): void {
  const body = { reference, type, status: 'ACTIVE', details: DETAILS };
  vendor.behaveFor(reference, { kind: 'answer', body });
}

test('4.7 answers 201 with both references, and stores the details that the vendor gives', async () => {
  const account = await supplier.importAccount();
  vendorKnows('pm/1 ü?');
  const { status, body } = await importInstruction(account, { vendor: 'ACME', reference: 'pm/1 ü?' });
  expect(status).toBe(201);
  expect(body).toEqual({ service_account_number: account.serviceAccountNumber, reference: 'pm/1 ü?' });
  expect(vendor.requests.at(-1)).toMatchObject({
    method: 'GET',
    url: '/payment-instructions/pm%2F1%20%C3%BC%3F?type=CARD',
    headers: { authorization: 'Bearer acme-secret' },
  });
  expect(await stored(account)).toMatchObject([
    { vendor: 'ACME', reference: 'pm/1 ü?', type: 'CARD', details: DETAILS, created_at: new Date(NOW) },
  ]);
  const where = { subject_id: account.id, action: 'payment_instruction_imported' };
  expect(await service.database.prisma.auditEvent.findMany({ where })).toMatchObject([{ detail: { vendor: 'ACME' } }]);
});

test('4.7 the same instruction again gets the same 201, without asking the vendor', async () => {
  const account = await supplier.importAccount();
  vendorKnows('again');
  const first = await importInstruction(account, { vendor: 'ACME', reference: 'again' });
  vendor.behaveFor('again', { kind: 'answer', status: 404, body: {} });
  const again = await importInstruction(account, { vendor: 'ACME', reference: 'again' });
  expect([again.status, again.body]).toEqual([201, first.body]);
  expect(vendor.requestCount('again')).toBe(1);
  expect(await stored(account)).toHaveLength(1);
});

test.each([
  ['reference', { reference: 'different' }],
  ['vendor', { vendor: 'SANDBOX' }],
])('4.7 another %s while one of its type is active is 400 payment_instruction_already_active', async (field, other) => {
  const account = await supplier.importAccount();
  const instruction = { vendor: 'ACME', reference: `pm_ok_active-${field}` };
  vendorKnows(instruction.reference);
  await importInstruction(account, instruction);
  const before = await stored(account);
  const asked = vendor.requestCount();
  const { status, body } = await importInstruction(account, { ...instruction, ...other });
  expect([status, body.code]).toEqual([400, 'payment_instruction_already_active']);
  expect(body.errors).toMatchObject([{ attr: 'reference' }]);
  expect(await stored(account)).toEqual(before);
  expect(vendor.requestCount()).toBe(asked);
});

test('4.7.3 4.16.4 an account has one active instruction of each type, which are listed, counted and read by type', async () => {
  const account = await supplier.importAccount();
  const path = `accounts/${supplier.code}/${account.externalAccountNumber}/`;
  const card = { vendor: 'SANDBOX', reference: 'pm_ok_card', type: 'CARD' };
  const debit = { vendor: 'SANDBOX', reference: 'pm_ok_debit', type: 'DIRECT_DEBIT' };
  for (const sent of [debit, card, card, debit]) {
    expect((await importInstruction(account, sent)).status).toBe(201);
  }
  const read = (below: string) => supplier.get(`${path}${below}`);
  expect((await read('payment-instructions/')).body).toMatchObject([card, debit]);
  const { body, headers } = await read('payment-instructions/?type=CARD&limit=1');
  expect(body).toMatchObject([card, debit]);
  expect(headers.get('undocumented-fields')).toBe('type, limit');
  expect((await read('')).body.figures.payment_instructions).toBe(2);
  for (const sent of [card, debit]) {
    expect((await read(`payment-instruction/?type=${sent.type}`)).body).toMatchObject(sent);
  }
  const several = await read('payment-instruction/');
  expect([several.status, several.body.errors]).toMatchObject([400, [{ attr: 'type', code: 'required' }]]);
  expect(several.body.errors[0].detail).toContain('CARD, DIRECT_DEBIT');
  const none = await read('payment-instruction/?type=WALLET');
  expect([none.status, none.body.code]).toEqual([404, 'payment_instruction_not_found']);
  const other = await importInstruction(account, { ...debit, reference: 'pm_ok_other' });
  expect([other.status, other.body.code]).toEqual([400, 'payment_instruction_already_active']);
});

test('4.7.3 concurrent instructions of one type leave one, of two types both', async () => {
  const account = await supplier.importAccount();
  const calls = ['a', 'b', 'c'].flatMap((name) =>
    ['CARD', 'DIRECT_DEBIT'].map((type) => importInstruction(account, { reference: `pm_ok_${name}`, type })),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([201, 201, 400, 400, 400, 400]);
  expect(await stored(account)).toHaveLength(2);
});

test('4.7.3 an account has instructions of a limited number of types', async () => {
  const account = await supplier.importAccount();
  const send = (type: string) => importInstruction(account, { reference: 'pm_ok_many', type });
  for (let number = 1; number <= LIMITS.payment_instructions; number++) {
    expect((await send(`TYPE_${number}`)).status).toBe(201);
  }
  const { status, body } = await send('ONE_MORE');
  expect([status, body.errors]).toMatchObject([400, [{ attr: 'type', code: 'max_items' }]]);
  expect((await send('TYPE_7')).status).toBe(201);
});

test.each(['pm_missing_1', 'never-heard-of'])(
  '4.7 a persistent failure is 400 payment_vendor_rejected, not to be retried: %s',
  async (reference) => {
    const account = await supplier.importAccount();
    const { status, body } = await importInstruction(account, { reference });
    expect([status, body.code]).toEqual([400, 'payment_vendor_rejected']);
    expect(body.errors).toMatchObject([{ code: 'payment_vendor_rejected' }]);
    expect(await stored(account)).toEqual([]);
  },
);

test.each(['pm_500_1', 'pm_401_1', 'pm_reset_1'])(
  '4.7 an intermittent failure is 500 payment_vendor_unavailable, to be retried: %s',
  async (reference) => {
    const account = await supplier.importAccount();
    const { status, body } = await importInstruction(account, { reference });
    expect([status, body.code, body.errors]).toEqual([500, 'payment_vendor_unavailable', []]);
    expect(JSON.stringify(body)).not.toMatch(/ECONN|fetch|undici|stack/);
    expect(await stored(account)).toEqual([]);
  },
);

test('4.15.3 an instruction that its vendor could not confirm keeps the account incomplete until it is sent again', async () => {
  const account = await supplier.importAccount();
  const problemsOf = async () => {
    const { body } = await supplier.get(`accounts/${supplier.code}/${account.externalAccountNumber}/`);
    return { complete: body.complete, problems: body.problems };
  };
  vendor.behaveFor('outage', { kind: 'reset' });
  const fields = { vendor: 'ACME', reference: 'outage' };
  expect((await importInstruction(account, { ...fields, dry_run: true })).status).toBe(500);
  expect(await problemsOf()).toMatchObject({ complete: true });
  expect((await importInstruction(account, fields)).status).toBe(500);
  expect(await problemsOf()).toMatchObject({ complete: false });
  vendorKnows('outage');
  expect((await importInstruction(account, fields)).status).toBe(201);
  expect(await problemsOf()).toMatchObject({ complete: true });
});

test('4.15.2 the refusal of one type stays open until that type is stored, whatever succeeds of another', async () => {
  const account = await supplier.importAccount();
  const { externalAccountNumber: external_account_number } = account;
  const shown = () => service.staff.accounts.getMasked.query({ code: supplier.code, external_account_number });
  const card = { type: 'CARD', reference: `pm_ok_${external_account_number}` };
  const debit = { vendor: 'ACME', type: 'DIRECT_DEBIT', reference: `debit-${external_account_number}` };
  expect((await importInstruction(account, card)).status).toBe(201);
  for (const [status, type] of [
    [400, 'SEPA'],
    [500, 'CHEQUE'],
  ] as const) {
    vendor.behaveFor(debit.reference, status === 500 ? { kind: 'reset' } : { kind: 'answer', status: 404, body: {} });
    expect((await importInstruction(account, debit)).status).toBe(status);
    // The same again writes nothing, and another type is stored.
    expect((await importInstruction(account, card)).status).toBe(201);
    expect((await importInstruction(account, { ...card, type })).status).toBe(201);
    expect(await shown()).toMatchObject({
      complete: false,
      refusals: [{ operation: 'payment_instruction', detail: { DIRECT_DEBIT: 'refused' } }],
    });
  }
  vendorKnows(debit.reference, 'DIRECT_DEBIT');
  expect((await importInstruction(account, debit)).status).toBe(201);
  expect(await shown()).toMatchObject({ complete: true, refusals: [] });
  // The type itself is at fault: it is of another one, and not what the account lacks, whatever was said of it before.
  vendor.behaveFor(debit.reference, { kind: 'reset' });
  expect((await importInstruction(account, { ...debit, type: 'STANDING_ORDER' })).status).toBe(500);
  expect(await shown()).toMatchObject({ refusals: [{ detail: { STANDING_ORDER: 'refused' } }] });
  vendorKnows(debit.reference, 'DIRECT_DEBIT');
  const wrong = await importInstruction(account, { ...debit, type: 'STANDING_ORDER' });
  expect(wrong).toMatchObject({ status: 400, body: { errors: [{ attr: 'type' }] } });
  expect(await shown()).toMatchObject({ complete: false, refusals: [{ detail: null }] });
  expect((await importInstruction(account, card)).status).toBe(201);
  expect(await shown()).toMatchObject({ complete: true, refusals: [] });
});

test('4.15.4 a refusal of one type that comes while another type succeeds stays open', async () => {
  const account = await supplier.importAccount();
  const debit = { type: 'DIRECT_DEBIT', reference: `pm_ok_${account.externalAccountNumber}` };
  expect((await importInstruction(account, { ...debit, reference: 'pm_missing_1' })).status).toBe(400);
  using keeper = await borrowConnection(service.database.pool);
  const keeperId = (await keeper.query('SELECT pg_backend_pid() AS id')).rows[0].id;
  // What the refusal of a SEPA instruction writes, and has not committed yet.
  await keeper.query('BEGIN');
  const write = `UPDATE account_import_refusals SET detail = detail || '{"SEPA": "refused"}' WHERE account_import_id = $1`;
  await keeper.query(write, [account.id]);
  const stored = importInstruction(account, debit);
  const waiting = 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
  await until(async () => (await service.database.pool.query(waiting, [keeperId])).rowCount === 1);
  await keeper.query('COMMIT');
  expect((await stored).status).toBe(201);
  const { externalAccountNumber: external_account_number } = account;
  const shown = () => service.staff.accounts.getMasked.query({ code: supplier.code, external_account_number });
  expect(await shown()).toMatchObject({ complete: false });
  expect((await importInstruction(account, { ...debit, type: 'SEPA' })).status).toBe(201);
  expect(await shown()).toMatchObject({ complete: true });
});

test('4.15.8 4.15.12 of the types that were refused as many are kept as an account can have, until it is erased', async () => {
  const account = await supplier.importAccount();
  for (let index = 0; index < LIMITS.payment_instructions + 2; index += 1) {
    const { status } = await importInstruction(account, { type: `TYPE_${index}`, reference: 'pm_missing_1' });
    expect(status).toBe(400);
  }
  const where = { account_import_id: account.id };
  const detail = async () => (await service.database.prisma.accountImportRefusal.findFirst({ where }))?.detail;
  expect(Object.keys((await detail()) as object)).toHaveLength(LIMITS.payment_instructions);
  const named = { code: supplier.code, external_account_number: account.externalAccountNumber };
  await service.staff.accounts.erase.mutate({ ...named, reason: 'asked for it' });
  expect(await detail()).toBeNull();
  expect((await importInstruction(account, { type: 'LATER', reference: 'x' })).status).toBe(400);
  expect(await detail()).toBeNull();
});

test.each([
  ['vendor that is not configured', { vendor: 'NOBODY' }, 'vendor', 'invalid_choice'],
  ['vendor named like a property', { vendor: 'constructor' }, 'vendor', 'invalid_choice'],
  ['type in small letters', { type: 'card' }, 'type', 'invalid'],
])('2.7 %s is 400 and names the field; no vendor is asked', async (_what, wrong, attr, code) => {
  const account = await supplier.importAccount();
  const asked = vendor.requestCount();
  const { status, body } = await importInstruction(account, { vendor: 'ACME', reference: 'unasked', ...wrong });
  expect([status, body.code]).toEqual([400, 'request_failed_validation']);
  expect(body.errors).toMatchObject([{ attr, code }]);
  expect(vendor.requestCount()).toBe(asked);
  expect(await stored(account)).toEqual([]);
});

test('4.7 equal requests at once over two instances all succeed and store one', async () => {
  const account = await supplier.importAccount();
  const instance = await service.startInstance();
  const callers = [supplier, restCalls(instance.url, supplier.token)];
  vendorKnows('at-once');
  const request = { ...account.reference, vendor: 'ACME', reference: 'at-once', type: 'CARD' };
  const calls = Array.from(
    { length: 10 },
    (_, index) => async () => callers[index % 2]?.post('payment-instruction/create/', request),
  );
  const answers = await meetAtAccount(service.database, account.id, calls);
  expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 201));
  expect(await stored(account)).toHaveLength(1);
  const where = { subject_id: account.id, action: 'payment_instruction_imported' };
  expect(await service.database.prisma.auditEvent.count({ where })).toBe(1);
});

test.each(['account_number', 'bank_account_number', 'sort_code', 'iban'])(
  '4.7.10 a payment instruction with %s is refused, and nothing of it is stored',
  async (name) => {
    const account = await supplier.importAccount();
    const value = `whole-${randomUUID()}`;
    const sent = { vendor: 'ACME', type: 'CARD', reference: 'unasked', [name]: value };
    const asked = vendor.requestCount();
    const { status, body } = await importInstruction(account, sent, { 'Idempotency-Key': randomUUID() });
    expect([status, body.errors]).toMatchObject([400, [{ attr: name, code: 'whole_account_number' }]]);
    expect(body.errors[0].detail).toMatch(/vendor.*last four digits.*mandate/);
    expect(vendor.requestCount()).toBe(asked);
    const carried = await supplier.post(
      'account-import-process/create-or-update/',
      supplier.account({ payment_instructions: [sent] }),
    );
    const attr = `payment_instructions.0.${name}`;
    expect([carried.status, carried.body.errors]).toMatchObject([400, [{ attr, code: 'whole_account_number' }]]);
    expect(JSON.stringify([body, carried.body])).not.toContain(value);
    expect(JSON.stringify(await allRows(service.database, { refusals: true }))).not.toContain(value);
  },
);

test.each<[what: string, fields: object, name: string]>([
  ['as its reference', { reference: 'GB29 NWBK 6016 1331 9268 19' }, 'reference'],
  ['under another name', { payer: 'GB29NWBK60161331926819' }, 'payer'],
  ['within another field', { bank: { iban: 'GB29NWBK60161331926819' } }, 'bank'],
  ['in another way of writing names', { IBAN: 'GB29NWBK60161331926819' }, 'IBAN'],
])('4.7.10 an IBAN %s is refused too, and nothing of it is stored', async (_what, fields, name) => {
  const account = await supplier.importAccount();
  const asked = vendor.requestCount();
  const { status, body } = await importInstruction(account, {
    vendor: 'ACME',
    type: 'CARD',
    reference: 'unasked',
    ...fields,
  });
  expect([status, body.errors]).toMatchObject([400, [{ attr: name, code: 'whole_account_number' }]]);
  expect(vendor.requestCount()).toBe(asked);
  expect(JSON.stringify(await allRows(service.database, { refusals: true }))).not.toMatch(/6016 ?1331/);
});
