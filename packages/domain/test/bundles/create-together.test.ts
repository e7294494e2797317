import { afterAll, describe, expect, test } from 'vitest';
import { accountImportId } from '../../src/index.ts';
import { type Staged, startMove } from './start-move.ts';

const withHistory = await startMove({ history: true });
const without = await startMove({ history: false });
afterAll(async () => {
  await withHistory.stop();
  await without.stop();
});

describe.each([
  ['with its history', withHistory],
  ['without history', without],
])('%s', (_, { staff, statement, createSupplier, stage, create, created, watching, storedOf }) => {
  test('4.3.10 4.17.7 accounts that come at the same time are created by one statement, each as it was sent', async () => {
    const code = await createSupplier();
    const staged = await Promise.all([1, 2, 3, 4].map(() => stage(code)));
    const { groups, context } = watching(statement);
    const answers = await Promise.all(staged.map((each) => create(context, each)));
    expect(groups).toEqual([4]);
    expect(new Set(answers.map(({ service_account_number }) => service_account_number)).size).toBe(4);
    for (const each of staged) expect(await storedOf(each)).toEqual(created(each));
  });

  test('4.3.10 4.17.7 an account that cannot be written fails alone: those beside it are created', async () => {
    const code = await createSupplier();
    const broken = await stage(code, { customers: [{ family_name: 'BREAK' }] });
    const good = await Promise.all([stage(code), stage(code)]);
    const [failed, ...answers] = await Promise.allSettled([broken, ...good].map((each) => create(staff, each)));
    expect(failed?.status).toBe('rejected');
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await storedOf(broken)).toEqual({ state: 'FAILED', notes: [] });
    for (const each of good) expect(await storedOf(each)).toEqual(created(each));
  });

  test('4.3.10 4.17.7 each account is refused by its own checks, and those beside it are created', async () => {
    const code = await createSupplier();
    const staged = await Promise.all(['one', 'imported', 'teamless', 'two'].map(() => stage(code)));
    const [one, imported, teamless, two] = staged as [Staged, Staged, Staged, Staged];
    await create(staff, imported);
    const { groups, context } = watching(statement);
    const answers = await Promise.allSettled([
      create(context, one),
      create(context, imported),
      create(context, teamless, 'none'),
      create(context, two),
    ]);
    expect(answers.map((each) => (each.status === 'rejected' ? each.reason.code : each.status))).toEqual([
      'fulfilled',
      'account_import_process_already_imported',
      'operations_team_name_does_not_exist',
      'fulfilled',
    ]);
    expect(groups).toEqual([4]);
    for (const each of [one, imported, two]) expect(await storedOf(each)).toEqual(created(each));
    expect(await storedOf(teamless)).toEqual({ state: 'FAILED', notes: [] });
  });
});

const { owner, staff, createSupplier, stage, stageAgain, create, created, watching, storedOf } = withHistory;

test('4.17.3 the checks of an account come before the rules of its history', async () => {
  const code = await createSupplier();
  const statement = { statement_id: 'ST-1', bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31' };
  const one = { ...statement, issued_date: '2026-02-03', number: '1', gross_amount: 1 };
  const staged = await stage(code);
  await owner.pool.query(`UPDATE account_imports SET payload = payload || $2 WHERE id = $1`, [
    accountImportId(code, staged.external_account_number),
    JSON.stringify({ statements: [one, { ...one, gross_amount: 2 }] }),
  ]);
  await expect(create(staff, staged, 'none')).rejects.toMatchObject({ code: 'operations_team_name_does_not_exist' });
  await expect(create(staff, staged)).rejects.toMatchObject({ code: 'historical_statement_already_exists' });
});

test('4.17.7 one that is staged again after its history was read is created from what was staged last', async () => {
  const code = await createSupplier();
  const [first, second] = [await stage(code), await stage(code)];
  const { groups, context } = watching('read-histories', () => stageAgain(first, 'Last'));
  await Promise.all([create(context, first), create(context, second)]);
  expect(groups[0]).toBe(2);
  expect(await storedOf(first)).toEqual({ state: 'COMPLETED', notes: ['Last'] });
  expect(await storedOf(second)).toEqual(created(second));
});
