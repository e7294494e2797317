import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { refusal } from './refusal.ts';

let service: TestService;
let accountImports: TestService['staff']['accountImports'];

beforeAll(async () => {
  service = await startTestService();
  accountImports = service.staff.accountImports;
});
afterAll(() => service.stop());

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
