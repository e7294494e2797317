import { accountImportId, runRanges } from '@causeway/domain';
import { afterAll, expect, test } from 'vitest';
import { startBooks } from './start-book.ts';
import { startReconciliations } from './start-reconciliations.ts';

const books = await startBooks();
afterAll(books.drop);
const { owner, createSupplier, dependencies } = books;
const { putManifest, putReconciliation, reconciliationOf, differencesOf } = startReconciliations(books);

const ACCOUNTS = 8;
const NUMBERS = Array.from({ length: ACCOUNTS }, (_, index) => `ACC-${index + 1}`);

/** A reconciliation of accounts that never arrived, in two ranges; `step` does its next part. */
async function missing() {
  const code = await createSupplier();
  const claims = Object.fromEntries(NUMBERS.map((number) => [number, {}]));
  const id = await putReconciliation(code, await putManifest(code, claims), 2);
  const low = NUMBERS.filter((number) => accountImportId(code, number) < '8');
  let now = dependencies.clock();
  const step = async (maxStored?: number) =>
    (await runRanges({ ...dependencies, clock: () => now }, { id, import_supplier_code: code }, maxStored)).result;
  const later = (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1_000);
  };
  return { id, low, step, later };
}

test('23.2.3 a range that cannot be compared is tried again later, and the others go first', async () => {
  const { id, low, step, later } = await missing();
  expect(low.length).toBeGreaterThan(0);
  await owner.pool.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'No room left'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON reconciliation_differences FOR EACH ROW
      WHEN (NEW.reconciliation_id = '${id}' AND NEW.account_import_id < '80000000-0000-0000-0000-000000000000')
      EXECUTE FUNCTION fail()`);
  expect(await step()).toBe('put_off');
  expect(await differencesOf(id)).toEqual([]);
  expect(await step()).toBe('compared');
  expect(await step()).toBe('put_off');
  later(1);
  expect(await step()).toBe('put_off');
  await owner.pool.query('DROP TRIGGER fail ON reconciliation_differences');
  // It failed twice: it waits for two seconds.
  later(1);
  expect(await step()).toBe('put_off');
  later(1);
  expect(await step()).toBe('compared');
  for (let result = await step(); result !== 'finished'; ) result = await step();
  expect(await reconciliationOf(id)).toMatchObject({ verdict: 'DIFFERENT', round: 1, missing: ACCOUNTS });
  expect(await differencesOf(id)).toHaveLength(ACCOUNTS);
});

test('23.2.4 differences are stored up to their limit, and counted exactly beyond it, also if compared again', async () => {
  const { id, low, step } = await missing();
  const limit = low.length + 1;
  expect(await step(limit)).toBe('compared');
  expect(await differencesOf(id)).toHaveLength(low.length);
  expect(await step(limit)).toBe('compared');
  // As if its accounts had changed.
  await owner.pool.query(
    'UPDATE reconciliation_ranges SET done = false, finished_at = NULL WHERE reconciliation_id = $1 AND number = 1',
    [id],
  );
  expect(await step(limit)).toBe('compared');
  for (let result = await step(limit); result !== 'finished'; ) result = await step(limit);
  expect(await reconciliationOf(id)).toMatchObject({ missing: ACCOUNTS, differences: String(ACCOUNTS) });
  const stored = await differencesOf(id);
  expect(stored).toHaveLength(limit);
  expect(stored.map(({ number }) => number)).toEqual(expect.arrayContaining(low));
});
