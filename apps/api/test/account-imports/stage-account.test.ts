import { accountImportId } from '@causeway/domain';
import { describe, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { serviceOfFile } from '../support/test-service.ts';

const STAGE = 'account-import-process/create-or-update/';

const service = await serviceOfFile();
const supplier = await service.createSupplier();

function importOf(number: string, { code } = supplier) {
  return service.database.prisma.accountImport.findUnique({ where: { id: accountImportId(code, number) } });
}

async function actionsOn(number: string): Promise<string[]> {
  const where = { subject_id: accountImportId(supplier.code, number) };
  const events = await service.database.prisma.auditEvent.findMany({ where, orderBy: { id: 'asc' } });
  return events.map(({ action, actor }) => `${action} by ${actor}`);
}

function stage(overrides: Record<string, unknown>, { account, post } = supplier) {
  return post(STAGE, account(overrides));
}

describe('staging', () => {
  test.concurrent('4.2 stages an account with 201, creates nothing else and answers with its names', async () => {
    const account = supplier.account({ billing_name: 'Zoë Ångström 日本' });
    const { external_account_number } = account;
    const { status, body } = await supplier.post(STAGE, account);
    expect(status).toBe(201);
    expect(body).toEqual({ import_supplier: supplier.code, external_account_number });
    expect(await importOf(external_account_number)).toMatchObject({
      import_supplier_code: supplier.code,
      external_account_number,
      state: 'STAGED',
      payload: account,
      times_staged: 1,
      attempts: 0,
      last_error: null,
      completed_at: null,
    });
    const where = { account_import_id: accountImportId(supplier.code, external_account_number) };
    expect(await service.database.prisma.account.count({ where })).toBe(0);
    expect(await actionsOn(external_account_number)).toEqual(['staged by supplier']);
  });

  test.concurrent('4.2 updates staged data with 200, any number of times, as a whole', async () => {
    const number = await supplier.stage({ billing_name: 'First' });
    const first = await importOf(number);
    for (const times_staged of [2, 3]) {
      const smaller = {
        import_supplier: supplier.code,
        external_account_number: number,
        customers: [{ given_name: `Time ${times_staged}` }],
      };
      const { status, body } = await supplier.post(STAGE, smaller);
      expect(status).toBe(200);
      expect(body).toEqual({ import_supplier: supplier.code, external_account_number: number });
      const { payload, ...row } = (await importOf(number)) ?? {};
      expect(payload).toEqual({ ...smaller, account_type: 'DOMESTIC', communication_preference: 'ONLINE' });
      expect(row).toMatchObject({
        state: 'STAGED',
        times_staged,
        staged_at: first?.staged_at,
        staging_order: first?.staging_order,
      });
    }
    expect(await actionsOn(number)).toEqual([
      'staged by supplier',
      'staged_again by supplier',
      'staged_again by supplier',
    ]);
  });

  test.concurrent('4.2 answers 201 to one of many first stagings at once and 200 to the others', async () => {
    const account = supplier.account();
    const calls = Array.from({ length: 10 }, () => supplier.post(STAGE, account));
    const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(9).fill(200), 201]);
    expect(await importOf(account.external_account_number)).toMatchObject({ times_staged: 10 });
  });

  test.concurrent('4.2 makes a failed attempt pending again, its error forgotten', async () => {
    const number = await supplier.stage();
    const request = supplier.processRequest(number);
    await supplier.post('account-import-process/process/', { ...request, operations_team_name: 'none' });
    expect(await importOf(number)).toMatchObject({ state: 'FAILED', attempts: 1 });
    expect((await stage({ external_account_number: number })).status).toBe(200);
    expect(await importOf(number)).toMatchObject({ state: 'STAGED', attempts: 1, last_error: null, failed_at: null });
    expect((await supplier.post('account-import-process/process/', request)).status).toBe(201);
  });

  test.concurrent('4.2 stages for the service team too, and the trail says so', async () => {
    const account = supplier.account();
    await service.staff.dataImport.stageAccount.mutate(account);
    expect(await actionsOn(account.external_account_number)).toEqual(['staged by staff']);
  });
});

describe('identifiers', () => {
  test.concurrent('2.1 compares account numbers exactly, letter case and accents included', async () => {
    const numbers = ['acc-x', 'ACC-X', 'Acc-X', 'Ä-1', 'A-1', 'acc-х'];
    const answers = await Promise.all(numbers.map((external_account_number) => stage({ external_account_number })));
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 201));
    expect(answers.map(({ body }) => body.external_account_number)).toEqual(numbers);
  });

  test.concurrent.each([
    ['one character', 'x'],
    ['128 characters', 'x'.repeat(128)],
    ['scripts of the world', 'Счёт 1 – 口座 ١٢٣ 😀 ẞ'],
    ['what means something elsewhere', `'; DROP TABLE accounts; -- /?#%2F\\"{}<>&+`],
    ['dots', '...'],
  ])(
    '2.1 takes an external account number of %s, from staging to its status',
    async (_name, external_account_number) => {
      expect((await stage({ external_account_number })).status).toBe(201);
      const request = supplier.processRequest(external_account_number);
      const { body } = await supplier.post('account-import-process/process/', request);
      expect(await importOf(external_account_number)).toMatchObject({ external_account_number, state: 'COMPLETED' });
      const path = `account-transfer-status/${supplier.code}/${encodeURIComponent(external_account_number)}/`;
      expect((await supplier.get(path)).body).toEqual({
        status: 'COMPLETED',
        service_account_number: body.service_account_number,
      });
    },
  );
});

// Not concurrent, since each looks at every row of every table.
describe('what staging refuses', () => {
  async function refused(call: () => ReturnType<typeof stage>) {
    const before = await allRows(service.database);
    const { status, body } = await call();
    expect(status).toBe(400);
    expect(await allRows(service.database)).toEqual(before);
    return body;
  }

  test('4.2 refuses a payload that is not valid, also over staged data, and changes nothing', async () => {
    const number = await supplier.stage();
    const body = await refused(() => stage({ external_account_number: number, customers: [{ family_name: 7 }] }));
    expect(body).toMatchObject({ code: 'account_failed_validation', errors: [{ attr: 'customers.0.family_name' }] });
  });
});

describe('the status of the import supplier', () => {
  test('3.2 Paused and Complete refuse to stage and to process, saying which, and change nothing; Ongoing continues', async () => {
    const own = await service.createSupplier();
    const number = await own.stage();
    const setStatus = (status: 'ONGOING' | 'PAUSED' | 'COMPLETE') =>
      service.staff.importSuppliers.setStatus.mutate({ code: own.code, status, reason: 'Test' });
    for (const [status, word] of [
      ['PAUSED', /paused/],
      ['COMPLETE', /complete/],
    ] as const) {
      await setStatus(status);
      const before = await allRows(service.database);
      const answers = [
        await stage({ external_account_number: number }, own),
        await stage({}, own),
        await own.post('account-import-process/process/', own.processRequest(number)),
        await own.post('account-import-process/process/', { ...own.processRequest(number), dry_run: true }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({
          detail: expect.stringMatching(word),
          code: 'import_supplier_migration_not_ongoing',
          errors: [{ code: 'import_supplier_migration_not_ongoing', attr: expect.stringMatching(/^import_supplier/) }],
        });
      }
      expect(await allRows(service.database)).toEqual(before);
      expect((await own.post('validate-account/', own.account())).status).toBe(200);
      await setStatus('ONGOING');
    }
    expect((await stage({ external_account_number: number }, own)).status).toBe(200);
    expect((await own.post('account-import-process/process/', own.processRequest(number))).status).toBe(201);
  });

  test('3.2 what was imported before can still be completed with notes', async () => {
    const own = await service.createSupplier();
    const { reference } = await own.importAccount();
    await service.staff.importSuppliers.setStatus.mutate({
      code: own.code,
      status: 'COMPLETE',
      reason: 'It is over',
    });
    expect((await own.post('notes/create/', { ...reference, notes: [{ body: 'Later' }] })).status).toBe(201);
  });
});
