import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { openDatabase } from '@causeway/db';
import { accountImportId } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { refusal } from '../staff/refusal.ts';
import { allRows } from '../support/all-rows.ts';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';

const NOW = '2026-04-20T11:30:00Z';
const LATER = '2026-04-21T11:30:00Z';

const service = await serviceOfFile();
service.setTime(NOW);
const supplier = await service.createSupplier();

const key = (external_account_number: string, { code } = supplier) => ({ code, external_account_number });
const erase = (number: string, by = supplier) =>
  service.staff.accounts.erase.mutate({ ...key(number, by), reason: 'Ticket 4711' });

/** Every text of a person begins with this, so that one search finds what is left. */
const PERSON = 'Zephyrine';
const personal = (word: string) => `${PERSON} ${word}`;

/** That it leaves no word of any other field is 14.8.3. */
function accountOfPerson() {
  return {
    last_billed_to_date: '2026-03-31',
    transfer_balance: '-48.20',
    billing_name: personal('billing'),
    customers: [{ family_name: personal('family'), mobile: '+44 7700 900123', date_of_birth: '1984-07-21' }],
    supply_addresses: [
      {
        ...{ supply_address1: personal('line 1'), supply_postcode: 'LS1 4AP' },
        customer_at_supply_address_from_date: '2019-04-01',
        meter_points: [
          {
            ...{ identifier: '1200023305967', supply_type: 'ELECTRICITY' },
            meters: [
              {
                ...{ meter_serial_number: '21L3948871', registers: [{ register_id: '01' }] },
                transfer_readings: [{ register_id: '01', reading_date: '2026-02-28', reading_value: '04821.5' }],
              },
            ],
          },
        ],
      },
    ],
    payment_schedules: [{ means: 'DD', day_of_month: 12, amount: 86.5 }],
  };
}

async function importPerson(by: TestSupplier) {
  const account = await by.importAccount(accountOfPerson());
  const { reference } = account;
  const send = async (path: string, content: object) => {
    const { status } = await by.post(path, { ...reference, ...content }, { 'Idempotency-Key': randomUUID() });
    expect(status).toBe(201);
  };
  const paths = [{ document_path: `${PERSON}/letter.pdf` }];
  await send('notes/create/', { notes: [{ body: personal('note') }, { document_paths: paths }] });
  const charge = { transaction_id: 'T-1', transaction_date: '2026-04-05', amount: 12.34, type: 'CHARGE', reason: 'X' };
  await send('transactions/create/', {
    transactions: [
      {
        ...{ ...charge, display_note: personal('shown'), note: personal('note'), reference: personal('own') },
        to_prepay_meter_serial_number: personal('meter'),
      },
    ],
  });
  await send('historical-statements/create/', {
    statements: [statement('ST-1', { statement_path: `${PERSON}/statement.pdf` })],
  });
  await send('payment-instruction/create/', { vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' });
  return account;
}

/** All that is stored but refresh tokens: the service team's own calls bring new ones. */
const storedText = async ({ refusals = true } = {}) => {
  const { refresh_tokens: _, ...rows } = await allRows(service.database, { refusals });
  return JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
};

test('14.8 erasing leaves no word of a person in any table, and every figure', async () => {
  const { externalAccountNumber, id, serviceAccountNumber } = await importPerson(supplier);
  const prisma = service.database.prisma;
  const figuresOf = async () => ({
    account: await prisma.account.findUnique({
      where: { account_import_id: id },
      omit: { billing_name: true, billing_email: true, details: true, revision: true },
    }),
    customers: await prisma.customer.count({ where: { account_import_id: id } }),
    addresses: await prisma.supplyAddress.findMany({
      where: { account_import_id: id },
      select: { customer_at_supply_address_from_date: true, is_landlord: true },
    }),
    points: await prisma.meterPoint.findMany({ where: { account_import_id: id }, select: { supply_type: true } }),
    schedules: await prisma.paymentSchedule.findMany({ where: { account_import_id: id } }),
    notes: await prisma.note.findMany({
      where: { account_import_id: id },
      select: { created_at: true, is_pinned: true },
    }),
    transactions: await prisma.transaction.findMany({
      where: { account_import_id: id },
      omit: { note: true, display_note: true, reference: true, to_prepay_meter_serial_number: true },
    }),
    statements: await prisma.statement.findMany({ where: { account_import_id: id }, omit: { statement_path: true } }),
    instruction: await prisma.paymentInstruction.findFirst({
      where: { account_import_id: id },
      select: { vendor: true, type: true },
    }),
  });
  const before = await figuresOf();
  const words = [PERSON, '1984-07-21', '900123', '1200023305967', '21L3948871', 'LS1 4AP', 'pm_ok_1'];
  const storedBefore = await storedText();
  expect(words.filter((word) => !storedBefore.includes(word))).toEqual([]);

  expect(await erase(externalAccountNumber)).toMatchObject({
    external_account_number: externalAccountNumber,
    state: 'COMPLETED',
    service_account_number: serviceAccountNumber,
    erased_at: NOW,
    payload_removed_at: NOW,
  });
  const stored = await storedText();
  expect(words.filter((word) => stored.includes(word))).toEqual([]);
  expect(await figuresOf()).toEqual(before);
  const [point] = await prisma.meterPoint.findMany({ where: { account_import_id: id } });
  expect(point?.meters).toMatchObject([{ transfer_readings: [{ reading_value: '04821.5' }] }]);
  expect(await prisma.idempotencyKey.count({ where: { account_import_id: id } })).toBe(0);

  const { payload, audit_trail, ...record } = await service.staff.accountImports.get.query(key(externalAccountNumber));
  expect([payload, record.erased_at]).toEqual([null, NOW]);
  const erased = audit_trail.filter(({ action }) => action === 'erased');
  expect(erased).toMatchObject([{ actor: 'staff', api_key_id: expect.any(String), detail: { reason: 'Ticket 4711' } }]);
  expect(audit_trail.filter(({ action }) => action === 'payload_viewed')).toEqual([]);
  const [listed] = await service.staff.accountImports.list.query({
    code: supplier.code,
    search: externalAccountNumber,
  });
  expect(listed?.erased_at).toBe(NOW);
});

test('14.8 4.15.12 erasing leaves no name of a field that its sender has made up', async () => {
  const by = await service.createSupplier();
  const [customer] = by.account().customers ?? [];
  const account = await by.importAccount({
    zephyrine_hartley: 1,
    customers: [{ ...customer, zephyrine_note: 'late' }],
  });
  await by.post('notes/create/', { ...account.reference, notes: [{ body: 'Rang', zephyrine_rang: 1 }] });
  const where = { account_import_id: account.id, reported: 'undocumented_field' };
  const known = () => service.database.prisma.accountImportRefusal.findMany({ where, orderBy: { operation: 'asc' } });
  expect(JSON.stringify(await known())).toMatch(/zephyrine_hartley.*zephyrine_rang|zephyrine_rang.*zephyrine_hartley/);
  await erase(account.externalAccountNumber, by);
  expect((await known()).map(({ errors }) => errors)).toEqual([
    [{ code: 'undocumented_field', attr: 'notes.*.*' }],
    expect.arrayContaining([
      { code: 'undocumented_field', attr: '*' },
      { code: 'undocumented_field', attr: 'customers.*.*' },
    ]),
  ]);
  expect(JSON.stringify(await allRows(service.database, { refusals: true }))).not.toMatch(/zephyrine_/);
});

test('14.8 an erased account stays imported, takes nothing more, and is erased once', async () => {
  const own = await service.createSupplier();
  const { externalAccountNumber, serviceAccountNumber, reference } = await importPerson(own);
  await erase(externalAccountNumber, own);
  const after = await storedText({ refusals: false });
  service.setTime(LATER);
  expect(await erase(externalAccountNumber, own)).toMatchObject({ erased_at: NOW });
  service.setTime(NOW);
  for (const [path, body] of [
    ['account-import-process/create-or-update/', own.account({ external_account_number: externalAccountNumber })],
    ['account-import-process/process/', own.processRequest(externalAccountNumber)],
  ] as const) {
    const answer = await own.post(path, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'account_import_process_already_imported']);
    expect(answer.body.service_account_number).toBe(serviceAccountNumber);
  }
  const charge = { transaction_id: 'T-9', transaction_date: '2026-04-05', type: 'CHARGE', reason: 'X', amount: 1 };
  for (const [path, content] of [
    ['notes/create/', { notes: [{ body: 'New' }] }],
    ['transactions/create/?check_previously_added=false', { transactions: [charge] }],
    ['historical-statements/create/', { statements: [statement('ST-2')] }],
    ['payment-instruction/create/', { vendor: 'SANDBOX', reference: 'pm_ok_2', type: 'CARD' }],
  ] as const) {
    const answer = await own.post(path, { ...reference, ...content });
    expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'account_erased']);
  }
  expect(await storedText({ refusals: false })).toBe(after);
});

test('14.8 an account that was only staged is erased too, and skipped for good', async () => {
  const number = await supplier.stage(accountOfPerson());
  expect(await erase(number)).toMatchObject({ state: 'SKIPPED', skip_reason: 'Erased', erased_at: NOW });
  expect(await storedText()).not.toContain(PERSON);
  const answers = [
    await supplier.post(
      'account-import-process/create-or-update/',
      supplier.account({ external_account_number: number }),
    ),
    await supplier.post('account-import-process/process/', supplier.processRequest(number)),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'account_import_process_skipped'));
  const unskip = service.staff.accountImports.unskip.mutate(key(number));
  expect(await refusal(unskip)).toMatchObject({ status: 400, code: 'account_erased' });
});

test.each([
  ['as it is', (number: string) => number],
  ['with white space before it', (number: string) => ` ${number}`],
])('14.8 after the erasure no refusal is kept with what it was sent, the account number %s', async (_name, spelled) => {
  const { externalAccountNumber, reference } = await importPerson(supplier);
  await erase(externalAccountNumber);
  const transaction = { transaction_id: 'T-9', transaction_date: '2026-04-05', type: 'CHARGE', reason: 'X', amount: 1 };
  const body = {
    ...reference,
    external_account_number: spelled(externalAccountNumber),
    transactions: [{ ...transaction, amount: 'much', display_note: personal('shown') }],
  };
  const send = () => supplier.post('transactions/create/', body, { 'Idempotency-Key': 'erased' });
  const refused = await send();
  expect(refused).toMatchObject({
    status: 400,
    body: { code: 'request_failed_validation', transaction_data: { display_note: personal('shown') } },
  });
  expect(await storedText()).not.toContain(PERSON);
  expect(await send()).toMatchObject({ status: 400, body: refused.body });
  const valid = { ...reference, transactions: [transaction] };
  const answer = await supplier.post('transactions/create/', valid, { 'Idempotency-Key': 'erased' });
  expect(answer).toMatchObject({ status: 400, body: { code: 'account_erased' } });
  expect(await service.database.prisma.idempotencyKey.count({ where: { body: { contains: 'account_erased' } } })).toBe(
    0,
  );
});

test('14.8 erasing removes why the account was skipped and unskipped, and the service can change nothing else of its events', async () => {
  const number = await supplier.stage();
  const { accountImports } = service.staff;
  await accountImports.skip.mutate({ ...key(number), reason: personal('left') });
  await accountImports.unskip.mutate({ ...key(number), reason: personal('came back') });
  await accountImports.skip.mutate({ ...key(number), reason: personal('left again') });
  await accountImports.unskip.mutate(key(number));
  const trail = async () => (await accountImports.get.query(key(number))).audit_trail;
  const events = (all: Awaited<ReturnType<typeof trail>>) =>
    all.filter(({ action }) => action !== 'payload_viewed').map(({ detail: _, ...event }) => event);
  const before = events(await trail());
  const pool = service.database.pool;
  await pool.query('SELECT erase_audit_reasons($1)', [accountImportId(supplier.code, number)]);
  expect(JSON.stringify(await trail())).toContain(personal('left'));

  await erase(number);
  expect(await storedText()).not.toContain(PERSON);
  const after = await trail();
  expect(events(after).slice(0, before.length)).toEqual(before);
  const reasons = after.filter(({ detail }) => detail !== null).map(({ action, detail }) => [action, detail]);
  expect(reasons).toEqual([
    ['skipped', { reason: '[erased]' }],
    ['unskipped', { reason: '[erased]' }],
    ['skipped', { reason: '[erased]' }],
    ['unskipped', {}],
    ['erased', { reason: 'Ticket 4711' }],
  ]);
});

test('14.8 no reason is blanked before an event tells that the account was erased, whatever its row says', async () => {
  const number = await supplier.stage();
  await service.staff.accountImports.skip.mutate({ ...key(number), reason: personal('left') });
  const id = accountImportId(supplier.code, number);
  const asService = openDatabase({ url: service.databaseUrl });
  await asService.pool.query('UPDATE account_imports SET erased_at = now() WHERE id = $1', [id]);
  await asService.pool.query('SELECT erase_audit_reasons($1)', [id]);
  await asService.close();
  const blank = `UPDATE audit_events SET detail = '{"reason": "[erased]"}' WHERE subject_id = $1 AND action = 'skipped'`;
  await expect(service.database.pool.query(blank, [id])).rejects.toThrow('audit events are never changed');
  const { audit_trail } = await service.staff.accountImports.get.query(key(number));
  expect(audit_trail).toMatchObject([
    { action: 'staged' },
    { action: 'skipped', detail: { reason: personal('left') } },
  ]);
  await service.database.pool.query('UPDATE account_imports SET erased_at = NULL WHERE id = $1', [id]);
  await erase(number);
});

test('14.8 an erased account is not skipped again, so that no new reason tells of a person', async () => {
  const number = await supplier.stage(accountOfPerson());
  await erase(number);
  const after = await storedText();
  const skip = service.staff.accountImports.skip.mutate({ ...key(number), reason: personal('left') });
  expect(await refusal(skip)).toMatchObject({ status: 400, code: 'account_erased' });
  expect(await storedText()).toBe(after);
});

test('14.8 an import that meets the erasure comes before it and is erased, or after it and is refused', async () => {
  const { externalAccountNumber, id, reference } = await supplier.importAccount();
  using holder = await borrowConnection(service.database.pool);
  await holder.query('BEGIN');
  await holder.query('SELECT FROM accounts WHERE account_import_id = $1 FOR UPDATE', [id]);
  const waiting = async (count: number) => {
    for (;;) {
      const { rows } = await holder.query(
        'SELECT count(*)::integer AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = $1',
        ['Lock'],
      );
      if (rows[0].count >= count) return;
      await turn();
    }
  };
  const imported = supplier.post('notes/create/', { ...reference, notes: [{ body: personal('late') }] });
  await waiting(1);
  const erased = erase(externalAccountNumber);
  await waiting(2);
  await holder.query('COMMIT');
  holder.release();
  const [{ status }] = await Promise.all([imported, erased]);
  expect([201, 400]).toContain(status);
  expect(await storedText()).not.toContain(personal('late'));
  expect(accountImportId(supplier.code, externalAccountNumber)).toBe(id);
});
