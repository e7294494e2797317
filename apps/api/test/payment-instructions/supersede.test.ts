import { randomUUID } from 'node:crypto';
import { LIMITS } from '@causeway/contracts';
import { startFakeVendor } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { meetAtAccount } from '../support/meet-at-account.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { type ImportedAccount, startTestService } from '../support/test-service.ts';

const NOW = '2026-04-20T11:30:00Z';
const LATER = '2026-04-20T12:00:00Z';

/** The vendor ACME, whose requests can be counted. */
const vendor = await startFakeVendor();
const service = await startTestService({
  PAYMENT_VENDORS: JSON.stringify([
    'SANDBOX',
    { name: 'ACME', kind: 'http', base_url: vendor.url, secret: 'acme-secret' },
  ]),
});
service.setTime(NOW);
const supplier = await service.createSupplier();
afterAll(async () => {
  await service.stop();
  await vendor.close();
});

type Fields = Record<string, unknown>;

/** A reference that no other test has, which ACME knows. */
function known(last4 = '4242', type = 'CARD'): string {
  const reference = randomUUID();
  vendor.behaveFor(reference, { kind: 'answer', body: { reference, type, status: 'ACTIVE', details: { last4 } } });
  return reference;
}

const CARD = { vendor: 'ACME', type: 'CARD' };
const send = ({ reference: account }: Pick<ImportedAccount, 'reference'>, fields: Fields) =>
  supplier.post('payment-instruction/create/', { ...account, ...CARD, ...fields });

async function read({ externalAccountNumber: number }: ImportedAccount, below = '') {
  return (await supplier.get(`accounts/${supplier.code}/${number}/${below}`)).body;
}

const rowsOf = async ({ id: account_import_id }: ImportedAccount) => {
  const { paymentInstruction, supersededPaymentInstruction } = service.database.prisma;
  const where = { account_import_id };
  return {
    active: await paymentInstruction.findMany({ where, omit: { account_import_id: true } }),
    superseded: await supersededPaymentInstruction.findMany({ where, omit: { account_import_id: true, id: true } }),
  };
};

/** An account whose first card another one has superseded. */
async function superseding() {
  const account = await supplier.importAccount();
  const [first, second] = [known('1111'), known('2222')];
  expect((await send(account, { reference: first })).status).toBe(201);
  const request = { reference: second, supersedes: first };
  expect((await send(account, request)).status).toBe(201);
  return { account, first, second, request };
}

test('4.7.9 an instruction takes the place of the one that it supersedes, which is kept with when and by what', async () => {
  const account = await supplier.importAccount();
  const [first, second] = [known('1111'), known('2222')];
  const debit = known('3333', 'DIRECT_DEBIT');
  await send(account, { reference: first });
  await send(account, { reference: debit, type: 'DIRECT_DEBIT' });
  service.setTime(LATER);
  const { status, body } = await send(account, { reference: second, supersedes: first });
  service.setTime(NOW);
  expect([status, body]).toEqual([201, { service_account_number: account.serviceAccountNumber, reference: second }]);
  expect(await rowsOf(account)).toEqual({
    active: expect.arrayContaining([
      { ...CARD, reference: second, details: { last4: '2222' }, created_at: new Date(LATER) },
      { vendor: 'ACME', type: 'DIRECT_DEBIT', reference: debit, details: { last4: '3333' }, created_at: new Date(NOW) },
    ]),
    superseded: [
      {
        ...{ ...CARD, reference: first, details: { last4: '1111' } },
        ...{ created_at: new Date(NOW), superseded_at: new Date(LATER) },
      },
    ],
  });
  const where = { subject_id: account.id, action: 'payment_instruction_imported' };
  const events = await service.database.prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
  expect(events.map(({ actor, occurred_at, detail }) => ({ actor, occurred_at, detail })).at(-1)).toEqual({
    ...{ actor: 'supplier', occurred_at: new Date(LATER) },
    detail: { vendor: 'ACME', superseded_vendor: 'ACME', superseded_type: 'CARD' },
  });
});

test('4.7.9 4.16.4 the active one is read, by type if there are several, and all are listed and counted', async () => {
  const { account, first, second } = await superseding();
  const active = { ...CARD, reference: second, details: { last4: '2222' }, supersedes: first };
  expect(await read(account, 'payment-instruction/')).toEqual(active);
  const third = known('3333');
  expect((await send(account, { reference: third, supersedes: second })).status).toBe(201);
  const debit = { vendor: 'ACME', type: 'DIRECT_DEBIT', reference: known('4444', 'DIRECT_DEBIT') };
  expect((await send(account, debit)).status).toBe(201);
  const at = { superseded_at: NOW };
  const input = { import_supplier_code: supplier.code, external_account_number: account.externalAccountNumber };
  const listed = await sameOverTrpc(supplier, 'accounts.paymentInstructions', { input });
  expect(listed.body).toEqual([
    { ...CARD, reference: third, details: { last4: '3333' }, supersedes: second },
    { ...active, ...at, superseded_by: third },
    { ...CARD, reference: first, details: { last4: '1111' }, ...at, superseded_by: second },
    { ...debit, details: { last4: '4444' } },
  ]);
  expect((await read(account, 'payment-instruction/')).errors).toMatchObject([{ attr: 'type', code: 'required' }]);
  expect(await read(account, 'payment-instruction/?type=CARD')).toMatchObject({ reference: third });
  expect((await read(account)).figures).toMatchObject({ payment_instructions: 2, superseded_payment_instructions: 2 });
});

test('4.7.9 answers over tRPC as over REST', async () => {
  const twins = [await supplier.importAccount(), await supplier.importAccount()] as const;
  const [first, second] = [known(), known()];
  for (const twin of twins) await send(twin, { reference: first });
  const call = (changes: Fields) =>
    sameOverTrpc(supplier, 'importPaymentInstruction', {
      input: { ...twins[0].reference, ...CARD, ...changes },
      twins: [twins[0].externalAccountNumber, twins[1].externalAccountNumber],
    });
  const answers = [
    await call({ reference: second, supersedes: 'another' }),
    await call({ reference: second, supersedes: first }),
    await call({ reference: first }),
    await call({ reference: second, iban: 'DE89370400440532013000' }),
  ];
  expect(answers.map(({ status, body }) => [status, body.errors?.[0]?.code])).toEqual([
    [400, 'supersedes_no_active_instruction'],
    [201, undefined],
    [400, 'payment_instruction_superseded'],
    [400, 'whole_account_number'],
  ]);
});

test('4.7.9 the same request again gets the same answer, without asking the vendor', async () => {
  const { account, second, request } = await superseding();
  vendor.behaveFor(second, { kind: 'answer', status: 404, body: {} });
  const before = await rowsOf(account);
  for (const again of [request, { reference: second }]) {
    const { status, body } = await send(account, again);
    expect([status, body.reference]).toEqual([201, second]);
  }
  expect(vendor.requestCount(second)).toBe(1);
  expect(await rowsOf(account)).toEqual(before);
});

test('4.7.9 what was superseded is refused by a sentence that says so, however it is sent, and no vendor is asked', async () => {
  const { account, first, second, request } = await superseding();
  const third = known();
  expect((await send(account, { reference: third, supersedes: second })).status).toBe(201);
  const before = await rowsOf(account);
  const asked = vendor.requestCount();
  for (const late of [{ reference: first }, request, { reference: second }, { reference: first, supersedes: third }]) {
    const { status, body } = await send(account, late);
    expect([status, body.code]).toEqual([400, 'payment_instruction_superseded']);
    expect(body.errors).toMatchObject([{ attr: 'reference' }]);
    expect(body.detail).toMatch(/superseded/);
  }
  expect(vendor.requestCount()).toBe(asked);
  expect(await rowsOf(account)).toEqual(before);
});

test.each<[what: string, fields: (one: { first: string; second: string }) => Fields]>([
  ['nobody', () => ({ reference: known(), supersedes: 'nobody' })],
  ['one that was superseded before', ({ first }) => ({ reference: known(), supersedes: first })],
  ['one of another type', ({ second }) => ({ reference: known(), supersedes: second, type: 'DIRECT_DEBIT' })],
  ['one that the active one has not superseded', ({ second }) => ({ reference: second, supersedes: 'nobody' })],
])('4.7.9 to supersede %s is refused with a code of its own, and no vendor is asked', async (_what, fields) => {
  const { account, ...references } = await superseding();
  const before = await rowsOf(account);
  const request = fields(references);
  const asked = vendor.requestCount();
  const { status, body } = await send(account, request);
  expect([status, body.code]).toEqual([400, 'supersedes_no_active_instruction']);
  expect(body.errors).toMatchObject([{ attr: 'supersedes' }]);
  expect(vendor.requestCount()).toBe(asked);
  expect(await rowsOf(account)).toEqual(before);
});

test('4.7.3 the refusal of another one of the type tells the way out', async () => {
  const { account } = await superseding();
  const { body } = await send(account, { reference: known() });
  expect([body.code, body.detail]).toEqual(['payment_instruction_already_active', expect.stringMatching(/supersedes/)]);
});

test('4.7.9 of concurrent calls that supersede the same one, exactly one wins', async () => {
  const account = await supplier.importAccount();
  const first = known();
  await send(account, { reference: first });
  const others = [known(), known(), known()];
  const calls = others.map((reference) => () => send(account, { reference, supersedes: first }));
  const answers = await meetAtAccount(service.database, account.id, calls);
  const won = answers.filter(({ status }) => status === 201);
  expect(won).toHaveLength(1);
  for (const { status, body } of answers) {
    if (status !== 201) expect([status, body.code]).toEqual([400, 'supersedes_no_active_instruction']);
  }
  expect(await rowsOf(account)).toMatchObject({
    active: [{ reference: won[0]?.body.reference }],
    superseded: [{ reference: first }],
  });
});

test('4.7.9 4.14.1 a dry run, and a vendor that refuses, supersede nothing', async () => {
  const { account, second } = await superseding();
  const before = await rowsOf(account);
  const tried = await send(account, { reference: known(), supersedes: second, dry_run: true });
  expect([tried.status, tried.body.code]).toEqual([400, 'dry_run_rolled_back']);
  const refused = await send(account, { vendor: 'SANDBOX', reference: 'pm_missing_1', supersedes: second });
  expect([refused.status, refused.body.code]).toEqual([400, 'payment_vendor_rejected']);
  expect(await rowsOf(account)).toEqual(before);
});

test('4.7.9 4.15.2 an instruction that supersedes the active one resolves the refusal of its type', async () => {
  const { account, second } = await superseding();
  expect((await send(account, { reference: known() })).status).toBe(400);
  expect((await read(account)).complete).toBe(false);
  expect((await send(account, { reference: known(), supersedes: second })).status).toBe(201);
  expect((await read(account)).complete).toBe(true);
});

test('4.15.10 what is remarked about an instruction ends when another one supersedes it, not when that is doubtful too', async () => {
  const account = await supplier.importAccount();
  const remarks = async () => (await read(account)).refusals.map(({ code }: { code: string }) => code);
  const doubtful = ['1234567.0', '7654321.0'] as const;
  for (const reference of doubtful) {
    const body = { reference, type: 'CARD', status: 'ACTIVE', details: {} };
    vendor.behaveFor(reference, { kind: 'answer', body });
  }
  expect((await send(account, { reference: doubtful[0] })).status).toBe(201);
  expect(await remarks()).toEqual(['damaged_number']);
  const second = { reference: doubtful[1], supersedes: doubtful[0] };
  expect((await send(account, second)).status).toBe(201);
  expect((await send(account, second)).status).toBe(201);
  expect(await remarks()).toEqual(['damaged_number']);
  expect((await send(account, { reference: known(), supersedes: doubtful[1] })).status).toBe(201);
  expect(await remarks()).toEqual([]);
});

test('4.7.9 an account has a limited number of superseded instructions', async () => {
  const account = await supplier.importAccount();
  const reference = (index: number) => `pm_ok_${index}`;
  const next = (index: number) =>
    send(account, {
      vendor: 'SANDBOX',
      reference: reference(index),
      ...(index > 0 && { supersedes: reference(index - 1) }),
    });
  for (let index = 0; index <= LIMITS.superseded_payment_instructions; index += 1) {
    expect((await next(index)).status).toBe(201);
  }
  const { status, body } = await next(LIMITS.superseded_payment_instructions + 1);
  expect([status, body.errors]).toMatchObject([400, [{ attr: 'supersedes', code: 'max_items' }]]);
  expect(await read(account, 'payment-instructions/')).toHaveLength(LIMITS.superseded_payment_instructions + 1);
});

test('4.7.9 14.8.3 4.16.7 an erasure leaves of what was superseded no more than of what is active', async () => {
  const { account, first, second } = await superseding();
  const code = supplier.code;
  const external_account_number = account.externalAccountNumber;
  await service.staff.accounts.erase.mutate({ code, external_account_number, reason: 'asked for it' });
  const erased = { ...CARD, reference: '[erased]', details: {} };
  expect(await rowsOf(account)).toMatchObject({ active: [erased], superseded: [erased] });
  const text = JSON.stringify(await allRows(service.database, { refusals: true }));
  expect([first, second].filter((word) => text.includes(word))).toEqual([]);
  const left = { ...CARD, details: {} };
  expect(await read(account, 'payment-instructions/')).toEqual([left, { ...left, superseded_at: NOW }]);
});

test('4.17.5 an account that is created has nothing to supersede: validate and stage refuse it', async () => {
  const instruction = { ...CARD, reference: known(), supersedes: 'R-0' };
  for (const [fields, attr] of [
    [{ payment_instruction: instruction }, 'payment_instruction.supersedes'],
    [{ payment_instructions: [instruction] }, 'payment_instructions.0.supersedes'],
  ] as const) {
    for (const path of ['validate-account/', 'account-import-process/create-or-update/']) {
      const { status, body } = await supplier.post(path, supplier.account(fields));
      expect([status, body.errors]).toMatchObject([400, [{ attr, code: 'supersedes_no_active_instruction' }]]);
    }
  }
});
