import type { AccountPayload } from '@causeway/contracts';
import { accountImportId } from '@causeway/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { refusal } from './refusal.ts';

const NOW = '2026-04-20T11:30:00Z';
let service: TestService;
let supplier: TestSupplier;
let accountImports: TestService['staff']['accountImports'];

beforeAll(async () => {
  service = await startTestService();
  service.setTime(NOW);
  supplier = await service.createSupplier();
  accountImports = service.staff.accountImports;
});
afterAll(() => service.stop());

const key = (external_account_number: string, { code } = supplier) => ({ code, external_account_number });
const process = (number: string, changes: object = {}, by = supplier) =>
  by.post('account-import-process/process/', { ...by.processRequest(number), ...changes });

const untouched = {
  service_account_number: null,
  times_staged: 1,
  attempts: 0,
  last_error: null,
  skip_reason: null,
  staged_at: NOW,
  updated_at: NOW,
  failed_at: null,
  skipped_at: null,
  completed_at: null,
  payload_removed_at: null,
  erased_at: null,
};

describe('accountImports.get', () => {
  test('14.6 shows the record, the payload as staged and the audit trail', async () => {
    const account: AccountPayload = supplier.account();
    const { external_account_number } = account;
    await supplier.post('account-import-process/create-or-update/', account, { 'X-Request-Id': 'first-try' });
    await process(external_account_number, { operations_team_name: 'No such team' });
    const failed = await accountImports.get.query(key(external_account_number));
    expect(failed).toMatchObject({
      external_account_number,
      state: 'FAILED',
      attempts: 1,
      failed_at: NOW,
      last_error: { code: 'operations_team_name_does_not_exist', errors: [{ attr: 'operations_team_name' }] },
    });
    await supplier.post('account-import-process/create-or-update/', account);
    const { body } = await process(external_account_number);
    const { payload, undocumented_fields, audit_trail, complete, refusals, ...record } = await accountImports.get.query(
      key(external_account_number),
    );
    expect(record).toEqual({
      ...untouched,
      external_account_number,
      state: 'COMPLETED',
      service_account_number: body.service_account_number,
      times_staged: 2,
      attempts: 2,
      completed_at: NOW,
    });
    expect(payload).toMatchObject(account);
    expect([complete, refusals, undocumented_fields]).toEqual([true, [], []]);
    expect(audit_trail.map(({ action, actor }) => [action, actor])).toEqual([
      ['staged', 'supplier'],
      ['process_failed', 'supplier'],
      ['payload_viewed', 'staff'],
      ['staged_again', 'supplier'],
      ['processed', 'supplier'],
    ]);
    expect(audit_trail[0]).toMatchObject({ caller_request_id: 'first-try', occurred_at: NOW, detail: null });
    expect(audit_trail[1]?.detail).toMatchObject({ code: 'operations_team_name_does_not_exist' });
    expect(audit_trail[4]?.detail).toEqual({ service_account_number: body.service_account_number });
    const [apiKey] = await service.staff.apiKeys.list.query({ organisation_id: supplier.organisationId });
    const bySupplier = audit_trail.filter(({ actor }) => actor === 'supplier');
    expect(new Set(bySupplier.map(({ api_key_id }) => api_key_id))).toEqual(new Set([apiKey?.id]));
  });

  test('14.7 the trail tells what was imported into the account, each in its place', async () => {
    const { externalAccountNumber, reference } = await supplier.importAccount({ last_billed_to_date: '2026-03-31' });
    await supplier.post('notes/create/', { ...reference, notes: [{ body: 'x' }, { body: 'y' }] });
    const transaction = { transaction_id: 'T', transaction_date: '2026-04-05', type: 'CREDIT', amount: 1, reason: 'X' };
    await supplier.post('transactions/create/', { ...reference, transactions: [transaction] });
    await supplier.post('transactions/create/', { ...reference, transactions: [transaction] });
    const { audit_trail } = await accountImports.get.query(key(externalAccountNumber));
    expect(audit_trail.slice(2).map(({ action, detail }) => [action, detail])).toEqual([
      ['notes_imported', { notes: 2 }],
      ['transactions_imported', { transactions: 1 }],
    ]);
  });

  test('14.6 shows the newest 1,000 events of a longer trail, oldest first', async () => {
    const number = await supplier.stage();
    await service.database.pool.query(
      `INSERT INTO audit_events (subject_id, subject, action, actor, request_id, occurred_at)
      SELECT $1, 'account_import', 'staged_again', 'supplier', number::text, $2 FROM generate_series(1, 1000) AS number`,
      [accountImportId(supplier.code, number), NOW],
    );
    const { audit_trail } = await accountImports.get.query(key(number));
    expect(audit_trail.map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => String(index + 1)),
    );
  });

  test('14.6 refuses an account that was never staged for that supplier', async () => {
    const sibling = await service.createSupplier({ of: supplier });
    const number = await supplier.stage();
    for (const absent of [
      key('ABSENT'),
      key(number.toLowerCase()),
      key(number, sibling),
      key(number, { ...sibling, code: 'NONE' }),
    ]) {
      expect(await refusal(accountImports.get.query(absent))).toMatchObject({
        code: 'account_not_found',
        attrs: ['external_account_number'],
      });
    }
    expect(await refusal(accountImports.get.query({ code: supplier.code } as never))).toMatchObject({
      status: 400,
      attrs: ['external_account_number'],
    });
  });
});

describe('accountImports.list', () => {
  test('14.6 has them oldest staged first, by state, by the beginning of a number, in pages', async () => {
    const own = await service.createSupplier();
    const { serviceAccountNumber } = await own.importAccount({ external_account_number: 'B-1' });
    await own.stage({ external_account_number: '9-1' });
    await own.stage({ external_account_number: 'B-2_%' });
    await process('B-2_%', { operations_team_name: 'No such team' }, own);
    await own.stage({ external_account_number: 'b-1' });
    const list = async (input: object) => {
      const records = await accountImports.list.query({ code: own.code, ...input });
      return records.map(({ external_account_number }) => external_account_number);
    };
    expect(await list({})).toEqual(['B-1', '9-1', 'B-2_%', 'b-1']);
    expect(await list({ state: 'STAGED' })).toEqual(['9-1', 'b-1']);
    expect(await list({ state: 'FAILED' })).toEqual(['B-2_%']);
    expect(await list({ state: 'COMPLETED' })).toEqual(['B-1']);
    expect(await list({ state: 'SKIPPED' })).toEqual([]);
    expect(await list({ search: 'B-' })).toEqual(['B-1', 'B-2_%']);
    expect(await list({ search: 'B-2_%' })).toEqual(['B-2_%']);
    expect(await list({ search: '_' })).toEqual([]);
    expect(await list({ search: '%' })).toEqual([]);
    expect(await list({ search: '\\' })).toEqual([]);
    expect(await list({ search: serviceAccountNumber.slice(0, 6) })).toEqual(['B-1']);
    expect(await list({ limit: 2 })).toEqual(['B-1', '9-1']);
    expect(await list({ limit: 2, after: '9-1' })).toEqual(['B-2_%', 'b-1']);
    expect(await list({ state: 'STAGED', after: '9-1' })).toEqual(['b-1']);
    const [record] = await accountImports.list.query({ code: own.code, search: '9-1' });
    expect(record).toEqual({ ...untouched, external_account_number: '9-1', state: 'STAGED', complete: false });
  });

  test('14.6 refuses an after that was never staged, a state that there is not and a limit out of range', async () => {
    const list = (input: object) => accountImports.list.query({ code: supplier.code, ...input });
    expect(await refusal(list({ after: 'ABSENT' }))).toMatchObject({ status: 400, attrs: ['after'] });
    // A mistyped code is not an empty list.
    const absent = { code: 'import_supplier_does_not_exist', attrs: ['code'] };
    expect(await refusal(list({ code: 'NONE' }))).toMatchObject(absent);
    expect(await refusal(list({ state: 'UNKNOWN' }))).toMatchObject({ status: 400, attrs: ['state'] });
    expect(await refusal(list({ limit: 10_001 }))).toMatchObject({ status: 400, attrs: ['limit'] });
  });
});

describe('accountImports.skip and unskip', () => {
  test('4.2 an account marked to be skipped can be neither staged nor processed: it refuses both until it is unskipped', async () => {
    const account = supplier.account();
    const { external_account_number } = account;
    await supplier.post('account-import-process/create-or-update/', account);
    const skipped = await accountImports.skip.mutate({ ...key(external_account_number), reason: 'Left' });
    expect(skipped).toEqual({
      ...untouched,
      external_account_number,
      state: 'SKIPPED',
      skip_reason: 'Left',
      skipped_at: NOW,
    });
    const stage = () => supplier.post('account-import-process/create-or-update/', account);
    for (const refused of [await stage(), await process(external_account_number)]) {
      expect([refused.status, refused.body.code]).toEqual([400, 'account_import_process_skipped']);
    }
    const unskipped = await accountImports.unskip.mutate({ ...key(external_account_number), reason: 'Came back' });
    expect(unskipped).toEqual({ ...untouched, external_account_number, state: 'STAGED' });
    expect((await stage()).status).toBe(200);
    expect((await process(external_account_number)).status).toBe(201);
    const { audit_trail } = await accountImports.get.query(key(external_account_number));
    expect(audit_trail.map(({ action, actor, detail }) => [action, actor, detail]).slice(0, 3)).toEqual([
      ['staged', 'supplier', null],
      ['skipped', 'staff', { reason: 'Left' }],
      ['unskipped', 'staff', { reason: 'Came back' }],
    ]);
  });

  test('14.6 skipping again replaces the reason; a failed account is failed again when it is unskipped', async () => {
    const number = await supplier.stage();
    await process(number, { operations_team_name: 'No such team' });
    await accountImports.skip.mutate({ ...key(number), reason: 'One' });
    expect(await accountImports.skip.mutate({ ...key(number), reason: 'Two' })).toMatchObject({ skip_reason: 'Two' });
    const unskipped = await accountImports.unskip.mutate(key(number));
    expect(unskipped).toMatchObject({
      state: 'FAILED',
      skip_reason: null,
      last_error: { code: 'operations_team_name_does_not_exist' },
    });
  });

  test('14.6 unskipping what is not skipped changes nothing', async () => {
    const number = await supplier.stage();
    expect(await accountImports.unskip.mutate(key(number))).toMatchObject({ state: 'STAGED' });
    const { audit_trail } = await accountImports.get.query(key(number));
    expect(audit_trail.map(({ action }) => action)).toEqual(['staged']);
  });

  test('14.6 a created account can be neither skipped nor unskipped, and one never staged does not exist', async () => {
    const { externalAccountNumber } = await supplier.importAccount();
    const { skip, unskip } = accountImports;
    const reason = 'x';
    for (const call of [
      skip.mutate({ ...key(externalAccountNumber), reason }),
      unskip.mutate(key(externalAccountNumber)),
    ]) {
      expect(await refusal(call)).toMatchObject({ code: 'account_import_process_already_imported' });
    }
    for (const call of [skip.mutate({ ...key('ABSENT'), reason }), unskip.mutate(key('ABSENT'))]) {
      expect(await refusal(call)).toMatchObject({ code: 'account_not_found' });
    }
    expect(await accountImports.get.query(key(externalAccountNumber))).toMatchObject({ state: 'COMPLETED' });
  });

  test('14.6 of skipping and processing at once one counts, and the other is told', async () => {
    const number = await supplier.stage();
    const [skipped, processed] = await Promise.allSettled([
      accountImports.skip.mutate({ ...key(number), reason: 'Race' }),
      process(number),
    ]);
    const { state } = await accountImports.get.query(key(number));
    const created = processed.status === 'fulfilled' && processed.value.status === 201;
    expect([state, skipped.status]).toEqual(created ? ['COMPLETED', 'rejected'] : ['SKIPPED', 'fulfilled']);
    expect(
      await service.database.prisma.account.count({ where: { account_import: { external_account_number: number } } }),
    ).toBe(created ? 1 : 0);
  });
});
