import { randomUUID } from 'node:crypto';
import { accountImportId } from '@causeway/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createTestSupplier, type TestSupplier } from '../support/test-supplier.ts';
import { obtainToken } from '../support/trpc-client.ts';
import { BREAKING, holdAccountsIn } from './held-accounts.ts';

const PROCESS = 'account-import-process/process/';
const NUMBER = /^A-[0-9A-HJKMNP-TV-Z]{8}$/;

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  await holdAccountsIn(service.database);
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

function process(number: string, overrides: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  return supplier.post(PROCESS, { ...supplier.processRequest(number), ...overrides }, headers);
}

async function importOf(number: string, { code } = supplier) {
  return service.database.prisma.accountImport.findUniqueOrThrow({
    where: { id: accountImportId(code, number) },
    include: { account: { include: { customers: true } } },
  });
}

async function auditOf(number: string) {
  const events = await service.database.prisma.auditEvent.findMany({
    where: { subject_id: accountImportId(supplier.code, number) },
    orderBy: { id: 'asc' },
  });
  return events.map(({ action, actor, caller_request_id, detail }) => ({ action, actor, caller_request_id, detail }));
}

/** Leaves out what the example account has beside it. */
const NO_LEGACY_ADDRESS = {
  billing_address1: undefined,
  billing_address2: undefined,
  billing_address4: undefined,
  billing_postcode: undefined,
};

/** Everything that process writes, with a value in each field that has a column. */
const WHOLE_ACCOUNT = {
  account_type: 'BUSINESS',
  date_of_sale: '2019-03-18',
  sales_channel: 'WEB',
  language_preference: 'cy-GB',
  communication_preference: 'PRINT',
  references: [{ namespace: 'legacy', value: 'C-1' }],
  metadata: [{ key: 'wave', value: '3' }],
  billing_name: 'Żaneta Ó Briain 日本 & Söhne',
  billing_email: 'zaneta@example.com',
  billing_address: { country: 'GB', street_address: 'Flat 4\n12 Alder Row', postal_code: 'LS1 4AP' },
  transfer_balance: '-99999999999.99',
  last_billed_to_date: '2026-02-28',
  customers: [
    {
      title: 'Dr',
      given_name: 'Żaneta',
      family_name: "O'Brien; DROP TABLE accounts --",
      email: 'zaneta@example.com',
      mobile: '+44 7700 900123',
      landline: '0113 496 0999',
      date_of_birth: '1900-01-01',
      alternative_phone_numbers: ['07700 900456'],
      consents: [{ type: 'SMART', value: 'PENDING', signed_at: '2024-02-29T23:59:59Z' }],
      customer_preferences: { opted_into_offers: false },
      psr: [{ code: '20', effective_from: '2021-11-02' }],
    },
    { family_name: 'Second' },
  ],
  supply_addresses: [
    {
      supply_address1: 'Flat 4',
      supply_address2: 'Two',
      supply_address3: 'Three',
      supply_address4: 'Four',
      supply_address5: 'Five',
      supply_postcode: 'LS1 4AP',
      customer_at_supply_address_from_date: '2019-04-01',
      customer_at_supply_address_to_date: '2027-04-01',
      is_landlord: true,
      meter_points: [
        {
          identifier: '1200023305967',
          supply_type: 'ELECTRICITY',
          supply_start_date: '2019-04-01',
          mpid: 'NWND',
          agreements: [{ tariff_code: 'T', effective_from: '2025-10-01', effective_to: '2025-10-01' }],
          meters: [
            {
              meter_serial_number: 'M-1',
              registers: [{ register_id: '01', number_of_digits: 5 }],
              transfer_readings: [{ register_id: '01', reading_date: '2026-02-28', reading_value: '00421.1234567' }],
            },
          ],
        },
        { supply_type: 'GAS' },
      ],
    },
    { supply_address1: 'Barn', supply_postcode: 'LS1 4AQ', customer_at_supply_address_from_date: '2020-02-29' },
  ],
  payment_schedules: [
    {
      means: 'DD',
      start_date: '2026-04-01',
      end_date: '2026-04-01',
      frequency: 'MONTHLY',
      day_of_month: 28,
      amount: 0.1,
    },
    { amount: 99999999999.99 },
    {},
  ],
};

describe('what is created', () => {
  test('4.3 creates the account with every row of the payload, exactly as it was sent', async () => {
    service.setTime('2026-03-02T08:00:00.250Z');
    const then = createTestSupplier({ ...supplier, token: await obtainToken(service.url, supplier.apiKey) });
    const number = await then.stage({ ...NO_LEGACY_ADDRESS, ...WHOLE_ACCOUNT });
    const { status, body } = await then.post(PROCESS, then.processRequest(number));
    service.setTime(undefined);
    expect(status).toBe(201);
    expect(body).toEqual({ service_account_number: expect.stringMatching(NUMBER), external_account_number: number });

    const id = accountImportId(supplier.code, number);
    const rows = async (table: string) => {
      const text = `SELECT * FROM ${table} WHERE account_import_id = $1 ORDER BY 1, 2, 3`;
      return (await service.database.pool.query(text, [id])).rows;
    };
    const [first, second] = WHOLE_ACCOUNT.customers;
    const [flat, barn] = WHOLE_ACCOUNT.supply_addresses;
    const [point, gas] = flat?.meter_points ?? [];
    const {
      payment_schedules: _schedules,
      supply_addresses: _addresses,
      customers: _customers,
      ...account
    } = WHOLE_ACCOUNT;
    const { account_type, billing_name, billing_email, transfer_balance, last_billed_to_date, ...details } = account;
    const team = await service.database.prisma.operationsTeam.findUniqueOrThrow({ where: { name: supplier.teamName } });
    expect(await rows('accounts')).toEqual([
      {
        account_import_id: id,
        service_account_number: body.service_account_number,
        operations_team_id: team.id,
        revision: 0,
        payload_size: expect.any(Number),
        account_type,
        billing_name,
        billing_email,
        transfer_balance,
        last_statement_balance: null,
        last_billed_to_date,
        open_statement_from: '2026-03-01',
        details,
        created_at: new Date('2026-03-02T08:00:00.250Z'),
      },
    ]);
    const { title, given_name, family_name, email, mobile, landline, date_of_birth, ...more } = first as Required<
      typeof first
    > &
      object;
    const nobody = { title: null, given_name: null, email: null, mobile: null, landline: null, date_of_birth: null };
    expect(await rows('customers')).toEqual([
      {
        account_import_id: id,
        position: 0,
        title,
        given_name,
        family_name,
        email,
        mobile,
        landline,
        date_of_birth,
        details: more,
      },
      { account_import_id: id, position: 1, ...nobody, family_name: second?.family_name, details: {} },
    ]);
    const { meter_points: _points, ...flatFields } = flat ?? {};
    const empty = { supply_address2: null, supply_address3: null, supply_address4: null, supply_address5: null };
    expect(await rows('supply_addresses')).toEqual([
      { account_import_id: id, position: 0, ...flatFields, details: {} },
      {
        account_import_id: id,
        position: 1,
        ...empty,
        customer_at_supply_address_to_date: null,
        is_landlord: null,
        details: {},
        ...barn,
      },
    ]);
    const place = { account_import_id: id, supply_address_position: 0 };
    expect(await rows('meter_points')).toEqual([
      { ...place, position: 0, ...point, details: {} },
      {
        ...place,
        position: 1,
        identifier: null,
        supply_start_date: null,
        mpid: null,
        agreements: [],
        meters: [],
        details: {},
        ...gas,
      },
    ]);
    const columns = {
      means: null,
      start_date: null,
      end_date: null,
      frequency: null,
      day_of_month: null,
      amount: null,
    };
    const none = { ...columns, details: {} };
    expect(await rows('payment_schedules')).toEqual([
      { account_import_id: id, position: 0, ...none, ...WHOLE_ACCOUNT.payment_schedules[0], amount: '0.10' },
      { account_import_id: id, position: 1, ...none, amount: '99999999999.99' },
      { account_import_id: id, position: 2, ...none },
    ]);
  });

  test.concurrent.each([
    ['0', '0.00'],
    ['0.1', '0.10'],
    ['-0.01', '-0.01'],
    ['1234567.89', '1234567.89'],
    ['-0', '0.00'],
    ['007.5', '7.50'],
    [-48.2, '-48.20'],
    [0.07, '0.07'],
    [99_999_999_999.99, '99999999999.99'],
    [-0, '0.00'],
  ])('2.10 stores a balance of %j as %s, without a penny of difference', async (transfer_balance, stored) => {
    const number = await supplier.stage({ transfer_balance });
    expect((await process(number)).status).toBe(201);
    const { rows } = await service.database.pool.query(
      'SELECT transfer_balance FROM accounts WHERE account_import_id = $1',
      [accountImportId(supplier.code, number)],
    );
    expect(rows).toEqual([{ transfer_balance: stored }]);
  });

  test.concurrent('4.3 creates an account of an unknown occupier, without customers', async () => {
    const number = await supplier.stage({ customers: undefined, unknown_occupier: true });
    expect((await process(number)).status).toBe(201);
    expect((await importOf(number)).account?.customers).toEqual([]);
  });

  test.concurrent('4.3 creates the account from the data that was staged last', async () => {
    const number = await supplier.stage({ billing_name: 'First' });
    await supplier.post('account-import-process/create-or-update/', {
      ...supplier.account({ external_account_number: number, billing_name: 'Last' }),
      customers: [{ family_name: 'Last' }],
    });
    await process(number);
    const { account } = await importOf(number);
    expect(account).toMatchObject({ billing_name: 'Last', customers: [{ family_name: 'Last', given_name: null }] });
  });

  test.concurrent('2.1 gives each account a number of its own that nobody can guess from another', async () => {
    const numbers = await Promise.all(
      Array.from({ length: 12 }, async () => (await supplier.importAccount()).serviceAccountNumber),
    );
    expect(new Set(numbers).size).toBe(12);
    for (const number of numbers) expect(number).toMatch(NUMBER);
  });

  test.concurrent('4.3 keeps who created which account, and in which request', async () => {
    const number = await supplier.stage();
    const { body } = await process(number, {}, { 'X-Request-Id': `process-${number}` });
    expect(await auditOf(number)).toEqual([
      { action: 'staged', actor: 'supplier', caller_request_id: null, detail: null },
      {
        action: 'processed',
        actor: 'supplier',
        caller_request_id: `process-${number}`,
        detail: { service_account_number: body.service_account_number },
      },
    ]);
  });

  test.concurrent('4.3 creates it for the service team too, and the trail says so', async () => {
    const number = await supplier.stage();
    const input = { ...supplier.processRequest(number), dry_run: false } as never;
    expect(await service.staff.dataImport.processAccount.mutate(input)).toEqual({
      service_account_number: expect.stringMatching(NUMBER),
      external_account_number: number,
    });
    expect((await auditOf(number)).at(-1)).toMatchObject({ action: 'processed', actor: 'staff' });
  });
});

describe('refusals', () => {
  test.concurrent('4.3 answers with both numbers where the account was imported before, and changes nothing', async () => {
    const { externalAccountNumber, serviceAccountNumber } = await supplier.importAccount();
    const before = [await importOf(externalAccountNumber), await auditOf(externalAccountNumber)];
    const { status, body } = await process(externalAccountNumber);
    expect(status).toBe(400);
    expect(body).toEqual({
      detail: expect.any(String),
      code: 'account_import_process_already_imported',
      errors: [
        {
          detail: expect.any(String),
          code: 'account_import_process_already_imported',
          attr: 'external_account_number',
        },
      ],
      documentation_url: '/docs/errors#account_import_process_already_imported',
      external_account_number: externalAccountNumber,
      service_account_number: serviceAccountNumber,
    });
    expect([await importOf(externalAccountNumber), await auditOf(externalAccountNumber)]).toEqual(before);
  });

  test.concurrent('4.3 refuses an account that was never staged', async () => {
    const { status, body } = await process('never staged');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'import_process_does_not_exist',
      errors: [{ attr: 'external_account_number', code: 'import_process_does_not_exist' }],
    });
  });

  test.concurrent.each([
    ['a code that was never created', () => Promise.resolve('NEVER-CREATED')],
    ["another organisation's supplier", async () => (await service.createSupplier()).code],
  ])('4.3 refuses %s, with the same answer', async (_name, codeOf) => {
    const { status, body } = await process('ACC', { import_supplier_code: await codeOf() });
    expect(status).toBe(400);
    expect(body).toEqual({
      detail: 'There is no import supplier with this code.',
      code: 'import_supplier_does_not_exist',
      errors: [
        {
          detail: 'There is no import supplier with this code.',
          code: 'import_supplier_does_not_exist',
          attr: 'import_supplier_code',
        },
      ],
      documentation_url: '/docs/errors#import_supplier_does_not_exist',
    });
  });

  test.concurrent('4.3 marks the import FAILED where its team does not exist, and creates it with one that does', async () => {
    const number = await supplier.stage();
    const { status, body } = await process(number, { operations_team_name: 'No such team' });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'operations_team_name_does_not_exist',
      errors: [{ attr: 'operations_team_name', code: 'operations_team_name_does_not_exist' }],
    });
    await process(number, { operations_team_name: supplier.teamName.toUpperCase() });
    const { documentation_url: _, ...failure } = body;
    expect(await importOf(number)).toMatchObject({
      state: 'FAILED',
      attempts: 2,
      last_error: failure,
      failed_at: expect.any(Date),
      completed_at: null,
      account: null,
    });
    expect((await process(number)).status).toBe(201);
    expect(await importOf(number)).toMatchObject({ state: 'COMPLETED', attempts: 3, last_error: null });
    expect((await auditOf(number)).map(({ action, detail }) => [action, detail])).toEqual([
      ['staged', null],
      ['process_failed', failure],
      ['process_failed', failure],
      ['processed', expect.anything()],
    ]);
  });

  test.concurrent('4.3 creates nothing at all where a row of it cannot be written, and says so without a word of the database', async () => {
    const number = await supplier.stage({ customers: [{ family_name: 'Written first' }, BREAKING] });
    const { status, body } = await process(number);
    expect(status).toBe(500);
    expect(body).toEqual({
      detail: expect.not.stringContaining('library'),
      code: 'internal_error',
      errors: [],
      documentation_url: '/docs/errors#internal_error',
    });
    expect(await importOf(number)).toMatchObject({
      state: 'FAILED',
      attempts: 1,
      last_error: { code: 'internal_error', errors: [], detail: expect.not.stringContaining('library') },
      account: null,
    });
    const id = accountImportId(supplier.code, number);
    expect(await service.database.prisma.customer.count({ where: { account_import_id: id } })).toBe(0);
    expect((await auditOf(number)).map(({ action }) => action)).toEqual(['staged', 'process_failed']);
  });

  test.concurrent('4.3 records a failure too whose request had an Idempotency-Key', async () => {
    const number = await supplier.stage({ customers: [BREAKING] });
    const { status } = await process(number, {}, { 'Idempotency-Key': `break-${number}` });
    expect(status).toBe(500);
    expect(await importOf(number)).toMatchObject({
      state: 'FAILED',
      attempts: 1,
      last_error: { code: 'internal_error' },
      account: null,
    });
  });

  test.concurrent('4.3 refuses a body that is not as documented, naming each field', async () => {
    const { status, body } = await supplier.post(PROCESS, { dry_run: 'false', operations_team_name: ' ', foo: 1 });
    expect(status).toBe(400);
    expect(body.code).toBe('request_failed_validation');
    expect(body.errors.map(({ attr, code }: Record<string, string>) => `${attr}: ${code}`)).toEqual([
      'external_account_number: required',
      'import_supplier_code: required',
      'operations_team_name: blank',
      'dry_run: invalid',
    ]);
  });
});

describe('over tRPC', () => {
  const twins = async () => [await supplier.stage(), await supplier.stage()] as const;
  const request = (overrides = {}) => ({ input: { ...supplier.processRequest(''), ...overrides } });

  test.concurrent('4.3 answers the same over tRPC', async () => {
    const pair = await twins();
    expect(
      (await sameOverTrpc(supplier, 'processAccount', { ...request({ dry_run: true }), twins: pair })).status,
    ).toBe(400);
    const missing = request({ operations_team_name: 'none' });
    expect((await sameOverTrpc(supplier, 'processAccount', { ...missing, twins: pair })).status).toBe(400);
    expect((await sameOverTrpc(supplier, 'processAccount', { ...request(), twins: pair })).status).toBe(201);
    expect((await sameOverTrpc(supplier, 'processAccount', { ...request(), twins: pair })).status).toBe(400);
    expect(await importOf(pair[1])).toMatchObject({ state: 'COMPLETED', attempts: 2, account: {} });
  });

  test.concurrent('4.3 refuses the same over tRPC', async () => {
    await sameOverTrpc(supplier, 'processAccount', request({ external_account_number: randomUUID() }));
    await sameOverTrpc(supplier, 'processAccount', request({ dry_run: 'false', foo: { bar: 1 } }));
    await sameOverTrpc(supplier, 'processAccount', request({ import_supplier_code: 'NONE' }));
    await sameOverTrpc(supplier, 'processAccount', { input: {} });
  });
});

// Not concurrent, since each looks at every row of every table.
describe('a dry run', () => {
  test('4.3 goes through all of it and leaves no trace in any table', async () => {
    const number = await supplier.stage({ ...NO_LEGACY_ADDRESS, ...WHOLE_ACCOUNT });
    const before = await allRows(service.database);
    const { status, body } = await process(number, { dry_run: true });
    expect(status).toBe(400);
    expect(body).toEqual({
      detail: expect.stringMatching(/would import successfully.*rolled back/s),
      code: 'dry_run_rolled_back',
      errors: [],
      documentation_url: '/docs/errors#dry_run_rolled_back',
    });
    expect(await allRows(service.database)).toEqual(before);
    expect((await process(number)).status).toBe(201);
  });

  test.each([
    ['a missing team', () => supplier.stage(), { operations_team_name: 'none' }, 'operations_team_name_does_not_exist'],
    [
      'an account that is imported',
      async () => (await supplier.importAccount()).externalAccountNumber,
      {},
      'account_import_process_already_imported',
    ],
    ['nothing staged', () => Promise.resolve('nothing'), {}, 'import_process_does_not_exist'],
    ['a defect of ours', () => supplier.stage({ customers: [BREAKING] }), {}, 'internal_error'],
  ])('4.3 answers with the failure that the real call would have: %s', async (_name, numberOf, overrides, code) => {
    const number = await numberOf();
    const before = await allRows(service.database);
    const dry = await process(number, { ...overrides, dry_run: true });
    expect(dry.body.code).toBe(code);
    expect(await allRows(service.database)).toEqual(before);
    const real = await process(number, { ...overrides, dry_run: false });
    expect(dry.body).toEqual(real.body);
    expect(dry.status).toBe(real.status);
  });

  test('4.3 leaves no trace either where its answer is kept under an Idempotency-Key', async () => {
    const number = await supplier.stage();
    const { idempotency_keys: _none, ...before } = await allRows(service.database);
    for (const _repeat of [1, 2]) {
      const dry = await process(number, { dry_run: true }, { 'Idempotency-Key': number });
      expect([dry.status, dry.body.code]).toEqual([400, 'dry_run_rolled_back']);
    }
    const { idempotency_keys: _kept, ...after } = await allRows(service.database);
    expect(after).toEqual(before);
  });

  test('4.3 leaves a failed attempt as it was', async () => {
    const number = await supplier.stage();
    await process(number, { operations_team_name: 'none' });
    const before = await allRows(service.database);
    expect((await process(number, { dry_run: true })).body.code).toBe('dry_run_rolled_back');
    expect(await allRows(service.database)).toEqual(before);
  });
});
