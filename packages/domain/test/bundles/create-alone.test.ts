import { createHash } from 'node:crypto';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { afterAll, describe, expect, test } from 'vitest';
import { creationValues } from '../../src/creation/account-rows.ts';
import { PROCESS_ACCOUNTS } from '../../src/creation/creations.sql.ts';
import { accountImportId, processAccount } from '../../src/index.ts';
import { accountKey } from '../../src/shared/derived-id.ts';
import { startMove } from './start-move.ts';

const withHistory = await startMove({ history: true });
const without = await startMove({ history: false });
afterAll(async () => {
  await withHistory.stop();
  await without.stop();
});

/** Digests, since text that repeats is stored in little. */
const LARGE = {
  supply_addresses: Array.from({ length: 500 }, (_, index) => ({
    supply_address1: createHash('sha256').update(`line ${index}`).digest('hex'),
    supply_postcode: 'CF10 1AB',
    customer_at_supply_address_from_date: '2024-01-01',
  })),
};

describe.each([
  ['with its history', withHistory],
  ['without history', without],
])('%s', (_, { owner, another, staff, statement, createSupplier, stage, create, created, watching, storedOf }) => {
  test('4.3.10 4.17.7 an account that somebody else has locked waits alone', async () => {
    const code = await createSupplier();
    const [locked, free] = [await stage(code), await stage(code)];
    using holder = await borrowConnection(another.pool);
    await holder.query('BEGIN');
    const id = accountImportId(code, locked.external_account_number);
    await holder.query('SELECT FROM account_imports WHERE id = $1 FOR UPDATE', [id]);
    const { groups, context } = watching(statement);
    const waiting = create(context, locked);
    await create(context, free);
    expect(groups).toEqual([2]);
    expect(await storedOf(free)).toEqual(created(free));
    expect(await storedOf(locked)).toEqual({ state: 'STAGED', notes: [] });
    await holder.query('COMMIT');
    holder.release();
    await waiting;
    expect(await storedOf(locked)).toEqual(created(locked));
  });

  test('4.3.10 4.17.7 accounts of a supplier whose status is being changed do not keep those of another waiting', async () => {
    const [changing, other] = [await createSupplier(), await createSupplier()];
    const [locked, free] = [await stage(changing), await stage(other)];
    using holder = await borrowConnection(another.pool);
    await holder.query('BEGIN');
    await holder.query('SELECT lock_import_supplier($1)', [changing]);
    const { groups, context } = watching(statement);
    const refused = expect(create(context, locked)).rejects.toMatchObject({
      code: 'import_supplier_migration_not_ongoing',
    });
    await create(context, free);
    expect(groups).toEqual([2]);
    expect(await storedOf(free)).toEqual(created(free));
    await holder.query(`UPDATE import_suppliers SET status = 'PAUSED' WHERE code = $1`, [changing]);
    await holder.query('COMMIT');
    holder.release();
    await refused;
    expect(await storedOf(locked)).toEqual({ state: 'STAGED', notes: [] });
  });

  test('4.3.10 4.17.7 an account that another call is creating is awaited, and created once', async () => {
    const code = await createSupplier();
    const [twice, once] = [await stage(code), await stage(code)];
    const elsewhere = { ...staff, database: another };
    const calls = [create(staff, twice), create(elsewhere, twice), create(staff, once), create(staff, once)];
    const answers = await Promise.allSettled(calls);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const each of [twice, once]) expect(await storedOf(each)).toEqual(created(each));
  });

  test('4.3.10 4.17.7 accounts of a supplier with a limit share no statement: none holds a slot while another works', async () => {
    const code = await createSupplier(2);
    const staged = await Promise.all([1, 2].map(() => stage(code)));
    const { groups, context } = watching(statement);
    await Promise.all(staged.map((each) => create(context, each)));
    expect(groups).toEqual([1, 1]);
  });

  test('4.3.10 4.17.7 a limit that was set a moment ago holds for accounts that come at the same time', async () => {
    const code = await createSupplier();
    const staged = await Promise.all([1, 2, 3].map(() => stage(code)));
    await owner.pool.query('UPDATE import_suppliers SET process_concurrency_limit = 1 WHERE code = $1', [code]);
    const { groups, context } = watching(statement);
    const answers = await Promise.allSettled(staged.map((each) => create(context, each)));
    expect(groups).toEqual([3, 1, 1, 1]);
    const refused = staged.filter((_, index) => answers[index]?.status === 'rejected');
    for (const each of refused) expect(await storedOf(each)).toEqual({ state: 'STAGED', notes: [] });
    for (const each of refused) await create(staff, each);
    for (const each of staged) expect(await storedOf(each)).toEqual(created(each));
  });

  test('4.3.10 4.17.7 a large account is created alone: those beside it do not wait for it', async () => {
    const code = await createSupplier();
    const [large, ...small] = [await stage(code, LARGE), await stage(code), await stage(code)];
    const { groups, context } = watching(statement);
    await Promise.all([large, ...small].map((each) => create(context, each)));
    expect(groups).toEqual([3, 1]);
    for (const each of [large, ...small]) expect(await storedOf(each)).toEqual(created(each));
  });

  test('4.3.6 4.17.8 a large account is created and rolled back by a dry run, and then created', async () => {
    const code = await createSupplier();
    const large = await stage(code, LARGE);
    const dryRun = { ...large, operations_team_name: 'Migration', dry_run: true };
    await expect(processAccount(staff, dryRun)).rejects.toMatchObject({ code: 'dry_run_rolled_back' });
    expect(await storedOf(large)).toEqual({ state: 'STAGED', notes: [] });
    await create(staff, large);
    expect(await storedOf(large)).toEqual(created(large));
  });
});

test('21.7.1 a large account of a bulk job shares the statement of those that are committed with it', async () => {
  const { staff, database, createSupplier, stage, created, storedOf } = without;
  const code = await createSupplier();
  const [large, small] = [await stage(code, LARGE), await stage(code)];
  const attempt = (has_slot: boolean) => {
    const calls = [large, small].map(({ external_account_number }) =>
      creationValues(staff, {
        ...accountKey(code, external_account_number),
        operations_team_name: 'Migration',
        has_slot,
      }),
    );
    return database.query(PROCESS_ACCOUNTS, { calls: JSON.stringify(calls), may_wait: false });
  };
  expect((await attempt(true)).map((row) => row.created)).toEqual([true, true]);
  for (const each of [large, small]) expect(await storedOf(each)).toEqual(created(each));
});
