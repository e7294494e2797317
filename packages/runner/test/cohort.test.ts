import { AccountPayload } from '@causeway/contracts';
import { stageAccount } from '@causeway/domain';
import { afterAll, expect, test } from 'vitest';
import { lineOf, linesOf } from './lines.ts';
import { startBooks, TEAM } from './start-book.ts';

const books = await startBooks();
afterAll(books.drop);
const { owner, staff, createSupplier, startJob, workOn, jobOf, countsOf, resultsOf } = books;

async function stage(code: string, count: number): Promise<void> {
  for (const { account, ...history } of linesOf(code, count)) {
    await stageAccount(staff, AccountPayload.parse({ ...account, ...history }));
  }
}

test('21.7.2 a cohort is what is staged when it is planned, in the order of the ids', async () => {
  const code = await createSupplier();
  await stage(code, 7);
  await owner.pool.query(
    `UPDATE account_imports SET state = 'SKIPPED', skip_reason = 'x', skipped_at = now()
     WHERE import_supplier_code = $1 AND external_account_number = 'ACC-3'`,
    [code],
  );
  const id = await startJob(code, { kind: 'PROCESS' });
  await workOn(id);
  expect(await jobOf(id)).toMatchObject({ state: 'FINISHED', lines: 6 });
  expect(await countsOf(id)).toEqual({ created: 6 });
  const { rows } = await owner.pool.query('SELECT account_import_ids AS ids, sums FROM bulk_chunks WHERE job_id = $1', [
    id,
  ]);
  expect(rows[0].ids).toEqual(rows[0].ids.toSorted());
  expect(rows[0].sums).toEqual({
    transfer_balance_debit: '-289.20',
    transactions: { PAYMENT: { count: 6, amount: '74.04' } },
    statements: { count: 6, gross: '599.70' },
    notes: 6,
    customers: 6,
    account_types: { DOMESTIC: 6 },
  });
});

test('21.7.2 an account of a cohort that somebody else has created meanwhile is refused as the single call is', async () => {
  const code = await createSupplier();
  await stage(code, 3);
  const id = await startJob(code, { kind: 'PROCESS' });
  const { processAccount } = await import('@causeway/domain');
  const { planBulkJob, findBulkWork } = await import('@causeway/domain');
  const [work] = (await findBulkWork(books.database)).filter((each) => each.id === id);
  if (work === undefined) throw new Error('The job is not found');
  await planBulkJob(books.dependencies, work);
  const request = { import_supplier_code: code, external_account_number: 'ACC-2', operations_team_name: TEAM };
  await processAccount(staff, { ...request, dry_run: false });
  await workOn(id);
  expect(await countsOf(id)).toEqual({ created: 2, refused: 1 });
  const refused = [...(await resultsOf(id)).values()].filter(({ outcome }) => outcome === 'refused');
  expect(refused).toMatchObject([{ step: 'process', code: 'account_import_process_already_imported' }]);
});

test('21.7.1 a job without lines ends at once', async () => {
  const code = await createSupplier();
  const id = await startJob(code, { kind: 'PROCESS' });
  await workOn(id);
  expect(await jobOf(id)).toMatchObject({ state: 'FINISHED', lines: 0 });
});

test('21.7.3 STAGE stages lines, and replaces what was staged before', async () => {
  const code = await createSupplier();
  await stage(code, 2);
  const id = await startJob(code, { kind: 'STAGE', lines: [...linesOf(code, 3), lineOf(code, 'ACC-4')] });
  await workOn(id);
  expect(await countsOf(id)).toEqual({ created: 2, updated: 2 });
});

test('21.8.7 STAGE refuses a line without an account, and adds nothing to the account that exists', async () => {
  const code = await createSupplier();
  await workOn(await startJob(code, { lines: linesOf(code, 1) }));
  const { notes, transactions } = lineOf(code, 'ACC-9');
  const id = await startJob(code, {
    kind: 'STAGE',
    lines: [{ external_account_number: 'ACC-1', notes, transactions }, lineOf(code, 'ACC-2')],
  });
  await workOn(id);
  expect(await countsOf(id)).toEqual({ created: 1, refused: 1 });
  const errors = [{ code: 'required', attr: 'account', detail: expect.any(String) }];
  const refusal = { code: 'account_failed_validation', step: 'validate', errors };
  expect((await resultsOf(id)).get(1)).toMatchObject({ external_account_number: 'ACC-1', ...refusal });
});

test('21.9.3 a rehearsed cohort tells which accounts the rules of today would refuse, and foresees their creation', async () => {
  const code = await createSupplier();
  await stage(code, 3);
  await owner.pool.query(
    `UPDATE account_imports SET payload = jsonb_set(payload, '{account_type}', '"CASTLE"'),
       staged_at = staged_at - interval '1 day', updated_at = updated_at - interval '1 day'
     WHERE import_supplier_code = $1 AND external_account_number = 'ACC-2'`,
    [code],
  );
  const id = await startJob(code, { kind: 'PROCESS', run_mode: 'REHEARSAL' });
  await workOn(id);
  const { state, report } = await jobOf(id);
  expect(state).toBe('FINISHED');
  expect(report).toMatchObject({ counts: { created: 3 }, accounts_changed_since: 2 });
  expect(report.problems).toMatchObject([
    {
      ...{ operation: 'validate', refused: false, code: 'invalid_choice', attr: 'account_type' },
      ...{ accounts: 1, sample_account_numbers: ['ACC-2'] },
    },
  ]);
});
