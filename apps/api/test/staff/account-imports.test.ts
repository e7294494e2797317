import type { AccountPayload } from '@causeway/contracts';
import { accountImportId } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { describe, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { refusal } from './refusal.ts';

const NOW = '2026-04-20T11:30:00Z';

const service = await serviceOfFile();
service.setTime(NOW);
const supplier = await service.createSupplier();
const accountImports = service.staff.accountImports;

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
  adopted_at: null,
  undone_at: null,
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

const numbersIn = async ({ code }: TestSupplier, state: 'STAGED' | 'FAILED' | 'SKIPPED' | 'COMPLETED') =>
  (await accountImports.list.query({ code, state })).map((one) => one.external_account_number);

const failProcessing = (supplier: TestSupplier, number: string) =>
  supplier.post('account-import-process/process/', {
    ...supplier.processRequest(number),
    operations_team_name: 'No such team',
  });

/** Staged S-1, S_2 and T-1; failed S-3; created S-4; staged T-2, whose second staging was refused. */
async function createBook(): Promise<TestSupplier> {
  const supplier = await service.createSupplier();
  for (const external_account_number of ['S-1', 'S_2', 'S-3', 'T-1', 'T-2']) {
    await supplier.stage({ external_account_number });
  }
  await failProcessing(supplier, 'S-3');
  await supplier.importAccount({ external_account_number: 'S-4' });
  const refused = supplier.account({ external_account_number: 'T-2', account_type: 'NO_SUCH_TYPE' });
  await supplier.post('account-import-process/create-or-update/', refused);
  return supplier;
}

test('14.6.7 counts and skips the staged and failed accounts of a filter, each with its event', async () => {
  const supplier = await createBook();
  const { code } = supplier;
  const problems = await supplier.trpc.dataImport.listProblems.query({ import_supplier_code: code });
  const listed = problems.map(({ operation, refused, code, attr }) => ({ operation, refused, code, attr }));
  const problem = listed.find(({ operation }) => operation === 'stage');
  const counts = [
    [{ state: 'STAGED' as const }, 4],
    [{ state: 'FAILED' as const }, 1],
    [{ number_prefix: 'S' }, 3],
    [{ number_prefix: 'S_' }, 1],
    [{ number_prefix: '%' }, 0],
    [{ problem }, 1],
    [{ problem, state: 'FAILED' as const }, 0],
    [{ problem, number_prefix: 'S' }, 0],
    [{ problem: problem && { ...problem, attr: 'other' } }, 0],
  ] as const;
  for (const [filter, count] of counts) {
    expect([filter, await accountImports.countForSkip.query({ code, filter })]).toEqual([filter, { count }]);
  }
  const skip = { code, reason: 'Moved away' };
  const byNumber = { ...skip, filter: { number_prefix: 'S' }, expected_count: 3 };
  expect(await accountImports.skipMany.mutate(byNumber)).toEqual({ skipped: 3, remaining: 0 });
  const byProblem = { ...skip, filter: { problem }, expected_count: 1 };
  expect(await accountImports.skipMany.mutate(byProblem)).toEqual({ skipped: 1, remaining: 0 });
  expect(await numbersIn(supplier, 'SKIPPED')).toEqual(['S-1', 'S_2', 'S-3', 'T-2']);
  expect(await numbersIn(supplier, 'COMPLETED')).toEqual(['S-4']);
  expect(await numbersIn(supplier, 'STAGED')).toEqual(['T-1']);
  for (const external_account_number of ['S-1', 'T-2']) {
    const { refusals, skip_reason, audit_trail } = await accountImports.get.query({ code, external_account_number });
    const { action, actor, detail } = audit_trail.at(-1) ?? {};
    expect([refusals, skip_reason, action, actor, detail]).toEqual([
      ...[[], 'Moved away', 'skipped', 'staff'],
      { reason: 'Moved away' },
    ]);
  }
  expect(await supplier.trpc.dataImport.listProblems.query({ import_supplier_code: code })).toEqual([]);
  expect(await accountImports.unskip.mutate({ code, external_account_number: 'S-3' })).toMatchObject({
    state: 'FAILED',
  });
});

test('14.6.7 skips nothing if the filter has another number of accounts, and names both', async () => {
  const { code } = await createBook();
  const before = await allRows(service.database);
  const call = { code, filter: { state: 'STAGED' as const }, reason: 'x', expected_count: 5 };
  const refused = accountImports.skipMany.mutate(call);
  expect(await refusal(refused)).toMatchObject({ code: 'account_count_differs', attrs: ['expected_count'] });
  await expect(refused).rejects.toThrow('4 accounts now, not 5');
  for (const filter of [{}, { number_prefix: '' }, { state: 'COMPLETED' }]) {
    const empty = { code, filter: filter as object };
    expect((await refusal(accountImports.countForSkip.query(empty))).status).toBe(400);
    expect((await refusal(accountImports.skipMany.mutate({ ...call, ...empty }))).status).toBe(400);
  }
  const unknown = accountImports.skipMany.mutate({ ...call, code: 'NONE' });
  expect(await refusal(unknown)).toMatchObject({ code: 'import_supplier_does_not_exist' });
  expect(await allRows(service.database)).toEqual(before);
});

test('14.6.7 waits for nobody: an account that is being written to is left for the next call', async () => {
  const supplier = await createBook();
  const { code } = supplier;
  using writer = await borrowConnection(service.database.pool);
  await writer.query('BEGIN');
  await writer.query(
    `UPDATE account_imports SET times_staged = 2 WHERE import_supplier_code = $1 AND external_account_number = 'S-1'`,
    [code],
  );
  const call = { code, filter: { number_prefix: 'S' }, reason: 'x', expected_count: 3 };
  expect(await accountImports.skipMany.mutate(call)).toEqual({ skipped: 2, remaining: 1 });
  expect(await accountImports.skipMany.mutate({ ...call, expected_count: 1 })).toEqual({ skipped: 0, remaining: 1 });
  await writer.query('COMMIT');
  writer.release();
  expect(await accountImports.skipMany.mutate({ ...call, expected_count: 1 })).toEqual({ skipped: 1, remaining: 0 });
});

test('14.6.7 a call skips up to 1,000, and says how many are left', async () => {
  const { code } = await service.createSupplier();
  await service.database.pool.query(
    `INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, staged_at, updated_at)
    SELECT account_import_id($1, 'N-' || number), $1, 'N-' || number, 'STAGED', now(), now()
    FROM generate_series(1, 1003) AS number`,
    [code],
  );
  const call = { code, filter: { state: 'STAGED' as const }, reason: 'x' };
  expect(await accountImports.skipMany.mutate({ ...call, expected_count: 1003 })).toEqual({
    skipped: 1000,
    remaining: 3,
  });
  expect(await accountImports.skipMany.mutate({ ...call, expected_count: 3 })).toEqual({ skipped: 3, remaining: 0 });
  const { rows } = await service.database.pool.query(
    `SELECT count(DISTINCT subject_id)::int, count(*)::int AS events
    FROM audit_events JOIN account_imports AS import ON import.id = subject_id
    WHERE import_supplier_code = $1 AND action = 'skipped'`,
    [code],
  );
  expect(rows).toEqual([{ count: 1003, events: 1003 }]);
});
