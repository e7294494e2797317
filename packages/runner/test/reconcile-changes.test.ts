import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ImportTransactionsRequest } from '@causeway/contracts';
import { accountImportId, importTransactions, runRanges } from '@causeway/domain';
import { fileOfProgram } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { linesOf } from './lines.ts';
import { startBooks } from './start-book.ts';
import { type Claims, startReconciliations } from './start-reconciliations.ts';

const books = await startBooks();
afterAll(books.drop);
const { owner, url, createSupplier, startJob, workOn, dependencies, staff } = books;
const { putManifest, putReconciliation, reconcile, reconciliationOf, differencesOf } = startReconciliations(books);

const ACCOUNTS = 20;
const NUMBERS = Array.from({ length: ACCOUNTS }, (_, index) => `ACC-${index + 1}`);

/** A supplier with accounts of one transaction each, the first one in each of two ranges, and how many they have. */
async function moved(manifest: (first: string, second: string) => Record<string, Claims>) {
  const code = await createSupplier();
  await workOn(await startJob(code, { lines: linesOf(code, ACCOUNTS), together: 100 }));
  const isLow = (number: string) => accountImportId(code, number) < '8';
  const first = NUMBERS.find(isLow) ?? '';
  const second = NUMBERS.find((number) => !isLow(number)) ?? '';
  const claims = Object.fromEntries(NUMBERS.map((number) => [number, { transactions: 1 }]));
  const id = await putReconciliation(code, await putManifest(code, { ...claims, ...manifest(first, second) }), 2);
  let added = 0;
  return {
    id,
    first,
    second,
    step: async () => (await runRanges(dependencies, { id, import_supplier_code: code })).result,
    async addTo(external_account_number: string) {
      added += 1;
      const transaction = {
        ...{ transaction_id: `LATE-${added}`, transaction_date: '2026-03-02', type: 'PAYMENT', amount: '1.00' },
        reason: 'IMPORTED_PAYMENT',
      };
      const names = { import_supplier: code, external_account_number };
      await importTransactions(staff, ImportTransactionsRequest.parse({ ...names, transactions: [transaction] }));
    },
  };
}

test('23.3.1 figures that were equal at different times only are not EQUAL', async () => {
  const { id, step, addTo, first, second } = await moved((_, late) => ({ [late]: { transactions: 2 } }));
  expect(await step()).toBe('compared');
  // At no time has the first account one transaction, and the second one two.
  await addTo(first);
  await addTo(second);
  expect(await step()).toBe('compared');
  for (let result = await step(); result !== 'finished'; ) result = await step();
  expect(await reconciliationOf(id)).toMatchObject({ verdict: 'DIFFERENT', round: 2, moved_ranges: 0, different: 1 });
  expect(await differencesOf(id)).toMatchObject([{ number: first, field: 'transactions', expected: '1', actual: '2' }]);
});

test('23.3.1 a range that has changed is compared again, and what differed before is forgotten', async () => {
  const { id, step, addTo, first } = await moved((early) => ({ [early]: { transactions: 2 } }));
  expect(await step()).toBe('compared');
  expect(await differencesOf(id)).toHaveLength(1);
  await addTo(first);
  for (let result = await step(); result !== 'finished'; ) result = await step();
  expect(await reconciliationOf(id)).toMatchObject({ verdict: 'EQUAL', round: 2, differences: '0' });
  expect(await differencesOf(id)).toEqual([]);
});

test('23.3.2 accounts that change after each comparison make the verdict MOVED', async () => {
  const { id, step, addTo, first } = await moved(() => ({}));
  for (let result = await step(); result !== 'finished'; result = await step()) {
    if (result === 'compared') await addTo(first);
  }
  expect(await reconciliationOf(id)).toMatchObject({ verdict: 'MOVED', round: 3, moved_ranges: 1 });
});

test('23.3.1 an account that is skipped meanwhile is not NOT_CREATED, and one that is left alone changes nothing', async () => {
  const code = await createSupplier();
  await workOn(await startJob(code, { kind: 'STAGE', lines: linesOf(code, 2) }));
  const id = await putReconciliation(code, await putManifest(code, { 'ACC-1': {}, 'ACC-2': {} }));
  const step = async () => (await runRanges(dependencies, { id, import_supplier_code: code })).result;
  expect(await step()).toBe('compared');
  await owner.pool.query(
    `UPDATE account_imports SET state = 'SKIPPED', skipped_at = now(), skip_reason = 'Closed'
     WHERE id = account_import_id($1, 'ACC-2')`,
    [code],
  );
  for (let result = await step(); result !== 'finished'; ) result = await step();
  expect(await reconciliationOf(id)).toMatchObject({ verdict: 'DIFFERENT', round: 2, not_created: 1, skipped: 1 });
});

test('23.2.1 a killed worker leaves nothing half done, and others continue', async () => {
  const { id, first } = await moved((early) => ({ [early]: { transactions: 2 } }));
  await owner.pool.query('DELETE FROM reconciliation_ranges WHERE reconciliation_id = $1', [id]);
  const ranges = 256;
  await owner.pool.query(
    `INSERT INTO reconciliation_ranges (reconciliation_id, number, from_id, to_id)
     SELECT $1, n + 1, rpad(lpad(to_hex(n), 2, '0'), 32, '0')::uuid,
       CASE WHEN n < 255 THEN rpad(lpad(to_hex(n + 1), 2, '0'), 32, '0')::uuid END
     FROM generate_series(0, $2 - 1) AS n`,
    [id, ranges],
  );
  const program = fileOfProgram('packages/runner/test/fixtures/run-lanes.ts');
  for (let kills = 1; kills <= 2; kills += 1) {
    const lanes = spawn(process.execPath, [program, url], { stdio: ['ignore', 'inherit', 'inherit'] });
    const closed = once(lanes, 'close');
    while ((await doneOf(id)) < kills * 60) await delay(5);
    lanes.kill('SIGKILL');
    await closed;
  }
  expect(await reconcile(id)).toMatchObject({ verdict: 'DIFFERENT', differences: '1' });
  expect(await doneOf(id)).toBe(ranges);
  expect(await differencesOf(id)).toMatchObject([{ number: first, expected: '2', actual: '1' }]);
});

async function doneOf(id: string): Promise<number> {
  const { rows } = await owner.pool.query(
    'SELECT count(*)::int AS done FROM reconciliation_ranges WHERE reconciliation_id = $1 AND done',
    [id],
  );
  return rows[0].done;
}
