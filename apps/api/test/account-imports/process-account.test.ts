import { accountImportId } from '@causeway/domain';
import { describe, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { everyField } from '../support/every-field.ts';
import { storedAccount } from '../support/stored-account.ts';
import { createTestSupplier, obtainToken, serviceOfFile } from '../support/test-service.ts';
import { BREAKING, holdAccountsIn } from './held-accounts.ts';

const PROCESS = 'account-import-process/process/';
const NUMBER = /^A-[0-9A-HJKMNP-TV-Z]{8}$/;

const service = await serviceOfFile();
await holdAccountsIn(service.database);
const supplier = await service.createSupplier();

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

describe('what is created', () => {
  test('4.3 creates the account with every row of the payload, its number, its team, and the first day of its open statement period', async () => {
    service.setTime('2026-03-02T08:00:00.250Z');
    const then = createTestSupplier({ ...supplier, token: await obtainToken(service.url, supplier.apiKey) });
    const payload = { ...wholeAccount(), import_supplier: supplier.code, external_account_number: 'WHOLE' };
    const number = await then.stage({ ...payload, last_billed_to_date: '2026-02-28' });
    const { status, body } = await then.post(PROCESS, then.processRequest(number));
    service.setTime(undefined);
    expect(status).toBe(201);
    expect(body).toEqual({ service_account_number: expect.stringMatching(NUMBER), external_account_number: number });
    const team = await service.database.prisma.operationsTeam.findUniqueOrThrow({ where: { name: supplier.teamName } });
    const stored = await storedAccount(service.database, accountImportId(supplier.code, number));
    expect(stored).toEqual({ ...payload, last_billed_to_date: '2026-02-28' });
    expect((await importOf(number)).account).toMatchObject({
      service_account_number: body.service_account_number,
      operations_team_id: team.id,
      revision: 0,
      open_statement_from: new Date('2026-03-01'),
      created_at: new Date('2026-03-02T08:00:00.250Z'),
    });
  });

  test.concurrent('4.3 creates an account of an unknown occupier, without customers', async () => {
    const number = await supplier.stage({ customers: undefined, unknown_occupier: true });
    expect((await process(number)).status).toBe(201);
    expect((await importOf(number)).account?.customers).toEqual([]);
  });

  test.concurrent('1.1 4.3 creates the account, which was validated and staged any number of times, from the data that was staged last', async () => {
    const number = await supplier.stage({ billing_name: 'First' });
    for (const billing_name of ['Second', 'Last']) {
      const customers = [{ family_name: billing_name }];
      const account = supplier.account({ external_account_number: number, billing_name, customers });
      expect((await supplier.post('validate-account/', account)).status).toBe(200);
      expect((await supplier.post('account-import-process/create-or-update/', account)).status).toBe(200);
    }
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

  test.concurrent('4.3 4.17.3 creates it with its history for the service team too, and the trail says so', async () => {
    const number = await supplier.stage({ notes: [{ body: 'Called about the move.' }] });
    const input = { ...supplier.processRequest(number), dry_run: false } as never;
    expect(await service.staff.dataImport.processAccount.mutate(input)).toEqual({
      service_account_number: expect.stringMatching(NUMBER),
      external_account_number: number,
    });
    expect((await auditOf(number)).map(({ action, actor }) => [action, actor])).toEqual([
      ['staged', 'supplier'],
      ['processed', 'staff'],
      ['notes_imported', 'staff'],
    ]);
  });
});

describe('refusals', () => {
  test.concurrent('4.3 refuses an account that was never staged', async () => {
    const { status, body } = await process('never staged');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'import_process_does_not_exist',
      errors: [{ attr: 'external_account_number', code: 'import_process_does_not_exist' }],
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

function wholeAccount() {
  const { import_supplier: _code, external_account_number: _number, ...account } = everyField('legacy').account;
  return account;
}

// Not concurrent, since each looks at every row of every table.
describe('a dry run', () => {
  test('4.3 goes through all of it and leaves no trace in any table', async () => {
    const number = await supplier.stage(wholeAccount());
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

  test('4.3 leaves a failed attempt as it was', async () => {
    const number = await supplier.stage();
    await process(number, { operations_team_name: 'none' });
    const before = await allRows(service.database);
    expect((await process(number, { dry_run: true })).body.code).toBe('dry_run_rolled_back');
    expect(await allRows(service.database)).toEqual(before);
  });
});
