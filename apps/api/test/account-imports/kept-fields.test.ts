import { randomUUID } from 'node:crypto';
import { accountImportId, removeStagedPayloads } from '@causeway/domain';
import { expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { refusal } from '../staff/refusal.ts';
import { allRows } from '../support/all-rows.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { type ImportedAccount, serviceOfFile } from '../support/test-service.ts';
import { charge } from '../transactions/examples.ts';

const STAGE = 'account-import-process/create-or-update/';
/** The value of every undocumented field of this file, to look for it in the database. */
const STRAY = 'stray-7c21f0';

const service = await serviceOfFile();
service.setTime('2026-04-20T11:30:00Z');
const supplier = await service.createSupplier({ undocumented_fields: 'KEEP' });
const reporting = await service.createSupplier({ of: supplier });

const TARIFF = { code: STRAY, bands: [{ from: '00:30', rate: 0.1 }, null], name: '' };
const STRAYS = { tariff: TARIFF, customers: [{ given_name: 'Zoë', nick: STRAY }] };
const KEPT_WITH_ACCOUNT = [
  { operation: 'stage', path: 'tariff', value: TARIFF },
  { operation: 'stage', path: 'customers.0.nick', value: STRAY },
];
type Kept = { operation: string; path: string; value: unknown }[];
const sorted = (kept: Kept) => [...kept].sort((a, b) => a.path.localeCompare(b.path));

/** What the service team and the supplier are shown, over both interfaces. */
async function readBack(external_account_number: string): Promise<Kept> {
  const shown = await service.staff.accountImports.get.query({ code: supplier.code, external_account_number });
  const input = { import_supplier_code: supplier.code, external_account_number };
  const { body } = await sameOverTrpc(supplier, 'accounts.get', { input });
  expect(body.undocumented_fields).toEqual(shown.undocumented_fields);
  return shown.undocumented_fields as Kept;
}

const errorsOf = (body: { errors: { attr: string; code: string }[] }) =>
  body.errors.map(({ attr, code }) => `${attr}: ${code}`);

/** One import of each kind, with an undocumented field in an item. */
const imports = ({ reference }: ImportedAccount, stray: Record<string, unknown>) =>
  [
    ['notes', 'notes/create/', { ...reference, notes: [{ body: `Note ${Object.keys(stray)}`, ...stray }] }],
    [
      'transactions',
      'transactions/create/',
      { ...reference, transactions: [charge(`T-${Object.keys(stray)}`, { transaction_date: '2026-04-20', ...stray })] },
    ],
    [
      'statements',
      'historical-statements/create/',
      { ...reference, statements: [statement(`S-${Object.keys(stray)}`, stray)] },
    ],
    [
      'payment_instruction',
      'payment-instruction/create/',
      { ...reference, vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD', ...stray },
    ],
  ] as const;

test('2.2.12 undocumented fields are named, kept under their paths, and shown to both sides', async () => {
  const account = supplier.account(STRAYS);
  const { status, headers } = await supplier.post(STAGE, account);
  expect(status).toBe(201);
  expect(headers.get('undocumented-fields')?.split(', ').sort()).toEqual(['customers.*.nick;count=1', 'tariff']);
  const number = account.external_account_number;
  expect(sorted(await readBack(number))).toEqual(sorted(KEPT_WITH_ACCOUNT));
  const marked = supplier.account(STRAYS);
  expect((await supplier.post(STAGE, marked, { 'Idempotency-Key': randomUUID() })).status).toBe(201);
  expect(sorted(await readBack(marked.external_account_number))).toEqual(sorted(KEPT_WITH_ACCOUNT));
  // The account's own data is without them.
  const id = accountImportId(supplier.code, number);
  const { payload } = await service.database.prisma.accountImport.findUniqueOrThrow({ where: { id } });
  expect(JSON.stringify(payload)).not.toContain(STRAY);
  const processed = await supplier.post('account-import-process/process/', supplier.processRequest(number));
  expect(processed.status).toBe(201);
  expect(sorted(await readBack(number))).toEqual(sorted(KEPT_WITH_ACCOUNT));
});

test('2.2.12 another staging replaces what was kept, over REST and tRPC', async () => {
  const twins = [supplier.account(), supplier.account()].map(({ external_account_number: number }) => number);
  const [overRest = '', overTrpc = ''] = twins;
  const stage = (changes: object) =>
    sameOverTrpc(supplier, 'stageAccount', { input: supplier.account({ ...changes }), twins: [overRest, overTrpc] });
  await stage({ nickname: STRAY, colour: 1 });
  for (const number of twins)
    expect(sorted(await readBack(number)).map(({ path }) => path)).toEqual(['colour', 'nickname']);
  await stage({ colour: 2 });
  for (const number of twins)
    expect(await readBack(number)).toEqual([{ operation: 'stage', path: 'colour', value: 2 }]);
  await stage({});
  for (const number of twins) expect(await readBack(number)).toEqual([]);
});

test('2.2.12 what comes with notes, transactions, statements and payment instructions is kept with the account', async () => {
  const account = await supplier.importAccount({ colour: STRAY });
  for (const [, path, body] of imports(account, { first: STRAY })) {
    expect((await supplier.post(path, body)).status).toBe(201);
  }
  const kept = [
    { operation: 'stage', path: 'colour', value: STRAY },
    { operation: 'notes', path: 'notes.0.first', value: STRAY },
    { operation: 'transactions', path: 'transactions.0.first', value: STRAY },
    { operation: 'statements', path: 'statements.0.first', value: STRAY },
    { operation: 'payment_instruction', path: 'first', value: STRAY },
  ];
  expect(await readBack(account.externalAccountNumber)).toEqual(kept);
  // A call that adds nothing keeps nothing.
  for (const [, path, body] of imports(account, { first: STRAY })) {
    expect((await supplier.post(path, body)).status).toBe(201);
  }
  expect(await readBack(account.externalAccountNumber)).toEqual(kept);
  // The fields of another call under the same path do not replace those of the first.
  const { reference } = account;
  const later = { ...reference, notes: [{ body: 'Another', first: 'second' }] };
  expect((await supplier.post('notes/create/', later)).status).toBe(201);
  const more = { operation: 'notes', path: 'notes.0.first', value: 'second' };
  expect(await readBack(account.externalAccountNumber)).toEqual([...kept, more]);
});

test('2.2.12 nothing is kept of a call that is refused, or that stores nothing', async () => {
  const account = await supplier.importAccount();
  const { reference, externalAccountNumber } = account;
  const notes = [{ body: 'x', stray: STRAY }, {}];
  expect((await supplier.post('notes/create/', { ...reference, notes })).status).toBe(400);
  await supplier.post('validate-account/', supplier.account(STRAYS));
  const request = { ...supplier.processRequest(await supplier.stage()), stray: STRAY };
  expect((await supplier.post('account-import-process/process/', request)).status).toBe(201);
  expect(await readBack(externalAccountNumber)).toEqual([]);
  expect(await service.database.prisma.keptFields.count({ where: { account_import_id: account.id } })).toBe(0);
});

test('2.2.15 more than 256 kB of an account are refused by name, and nothing is stored', async () => {
  const large = { first: 1, second: 'x'.repeat(262_144) };
  for (const path of ['validate-account/', STAGE]) {
    const { status, body } = await supplier.post(path, supplier.account(large));
    expect([status, body.code, ...errorsOf(body)]).toEqual([
      400,
      'account_failed_validation',
      'second: undocumented_fields_too_large',
    ]);
  }
  const account = await supplier.importAccount({ colour: 'x'.repeat(100_000) });
  const half = (n: number) => ({
    ...account.reference,
    notes: [{ body: `Note ${n}`, [`half_${n}`]: 'x'.repeat(100_000) }],
  });
  expect((await supplier.post('notes/create/', half(1))).status).toBe(201);
  // Over the limit only together with what is kept already; the second import at once must see the first.
  const answers = await Promise.all([2, 3].map((n) => supplier.post('notes/create/', half(n))));
  for (const { status, body } of answers) {
    expect([status, body.code]).toEqual([400, 'request_failed_validation']);
    expect(errorsOf(body)[0]).toMatch(/^notes\.0\.half_[23]: undocumented_fields_too_large$/);
  }
  const rows = await service.database.prisma.note.findMany({ where: { account_import_id: account.id } });
  expect(rows.map(({ body }) => body)).toEqual(['Note 1']);
  expect((await readBack(account.externalAccountNumber)).map(({ path }) => path)).toEqual(['colour', 'notes.0.half_1']);
});

test('2.2.15 of concurrent imports no two together keep more than the limit', async () => {
  const account = await supplier.importAccount();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      supplier.post('notes/create/', { ...account.reference, notes: [{ body: `${n}`, stray: 'x'.repeat(60_000) }] }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 400, 400, 400, 400]);
  expect(await readBack(account.externalAccountNumber)).toHaveLength(4);
});

test('14.4.5 importSuppliers.keptFields counts what is kept, by path', async () => {
  const own = await service.createSupplier({ of: supplier, undocumented_fields: 'KEEP' });
  const customers = [
    { given_name: 'A', nick: 'a' },
    { given_name: 'B', nick: 'b' },
  ];
  const first = await own.importAccount({ tariff: 1, customers });
  await own.stage({ tariff: { code: 2 } });
  await own.stage();
  const notes = [{ body: 'x', colour: 1 }];
  expect((await own.post('notes/create/', { ...first.reference, notes })).status).toBe(201);
  expect(await service.staff.importSuppliers.keptFields.query({ code: own.code })).toEqual([
    { operation: 'stage', path: 'tariff', accounts: 2, values: 2 },
    { operation: 'notes', path: 'notes.*.colour', accounts: 1, values: 1 },
    { operation: 'stage', path: 'customers.*.nick', accounts: 1, values: 2 },
  ]);
  expect(await service.staff.importSuppliers.keptFields.query({ code: reporting.code })).toEqual([]);
  expect(await refusal(service.staff.importSuppliers.keptFields.query({ code: 'NONE' }))).toMatchObject({
    code: 'import_supplier_does_not_exist',
    attrs: ['code'],
  });
});

test('14.6 a view of what is kept is recorded, also after the payload was removed', async () => {
  const account = await supplier.importAccount(STRAYS);
  await removeStagedPayloads(service.database, new Date('2026-08-20T11:30:00Z'), 30);
  const key = { code: supplier.code, external_account_number: account.externalAccountNumber };
  const shown = await service.staff.accountImports.get.query(key);
  expect([shown.payload, shown.undocumented_fields.length]).toEqual([null, 2]);
  const { audit_trail } = await service.staff.accountImports.get.query(key);
  expect(audit_trail.map(({ action }) => action)).toContain('payload_viewed');
});

// Not concurrent: they read every table.
test('2.2.12 a supplier that does not keep stores nothing undocumented', async () => {
  const before = JSON.stringify(await allRows(service.database)).split(STRAY).length;
  const account = await reporting.importAccount({ colour: STRAY });
  for (const [, path, body] of imports(account, { first: STRAY })) {
    expect((await reporting.post(path, body)).status).toBe(201);
  }
  expect(JSON.stringify(await allRows(service.database)).split(STRAY)).toHaveLength(before);
});

test('14.8 an erasure removes what was kept, staged or created', async () => {
  const own = await service.createSupplier({ of: supplier, undocumented_fields: 'KEEP' });
  const secret = 'secret-5b1c9a';
  const account = await own.importAccount({ colour: secret });
  for (const [, path, body] of imports(account, { first: secret })) {
    expect((await own.post(path, body)).status).toBe(201);
  }
  const staged = await own.stage({ colour: secret });
  expect(JSON.stringify(await allRows(service.database))).toContain(secret);
  for (const external_account_number of [account.externalAccountNumber, staged]) {
    await service.staff.accounts.erase.mutate({ code: own.code, external_account_number, reason: 'Asked for' });
    const answer = await own.get(`accounts/${own.code}/${external_account_number}/`);
    expect(answer.body.undocumented_fields).toEqual([]);
  }
  expect(JSON.stringify(await allRows(service.database))).not.toContain(secret);
});
