import { borrowConnection } from '@causeway/testing/borrow-connection';
import { expect, test } from 'vitest';
import { createJob, fileCall, ndjson, putPart, readJob } from '../bulk/bulk-calls.ts';
import { statement } from '../bundles/support.ts';
import { refusal } from '../staff/refusal.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { type TestSupplier, until } from '../support/test-service.ts';

const service = await serviceWithLanes();
const { prisma, pool } = service.database;
const settings = { undo_hours: 24, suppliers_may_undo: true };
const DAY = new Date().toISOString().slice(0, 10);
const charge = { transaction_date: DAY, type: 'CHARGE', reason: 'IMPORTED_CHARGE' };

/** A line that moves an account with history. */
const lineOf = (supplier: TestSupplier) => ({
  account: supplier.account({ transfer_balance: '-48.20' }),
  notes: [{ body: 'Of the book.' }],
  transactions: [
    { ...charge, transaction_id: 'T-1', amount: 12.34 },
    { ...charge, transaction_id: 'T-2', type: 'PAYMENT', amount: 5 },
  ],
  statements: [statement('ST-1', { gross_amount: 112.07 })],
});
type Line = ReturnType<typeof lineOf>;
const numberOf = ({ account }: Line) => account.external_account_number;

async function ended(supplier: TestSupplier, id: string) {
  await until(async () => ['FINISHED', 'CANCELLED'].includes((await readJob(supplier, id)).state));
  return readJob(supplier, id);
}

/** Moves a book; the job, FINISHED. */
async function move(supplier: TestSupplier, lines: readonly unknown[]) {
  const id = await createJob(supplier);
  await putPart(supplier, { id }, ndjson(lines));
  await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' });
  return ended(supplier, id);
}

const undo = (supplier: TestSupplier, id: string, more: object = {}) =>
  supplier.post(`bulk-jobs/${id}/undo/`, { reason: 'Wrong tariff', ...more });
async function undone(supplier: TestSupplier, id: string, more: object = {}) {
  const { status, body } = await undo(supplier, id, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return ended(supplier, body.job.id);
}
const statesOf = async ({ code }: TestSupplier) => {
  const imports = await prisma.accountImport.findMany({ where: { import_supplier_code: code } });
  return Object.fromEntries(imports.map(({ external_account_number, state }) => [external_account_number, state]));
};
const resultsOf = async (supplier: TestSupplier, id: string) => {
  const { text } = await fileCall(supplier, `bulk-jobs/${id}/results/`, {
    headers: { Accept: 'application/x-ndjson' },
  });
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};
const NOTHING_SINCE = {
  ...{ accounts: 0, notes: 0, transactions: 0, transactions_sum: '0.00', statements: 0, statements_gross: '0.00' },
  payment_instructions: 0,
};

test('30.3.1 30.3.2 R04 takes back what the job created, with results, counts and money of what was removed', async () => {
  const supplier = await service.createSupplier(settings);
  const lines = [lineOf(supplier), lineOf(supplier), lineOf(supplier)];
  const moved = await move(supplier, lines);
  expect(moved.counts).toMatchObject({ created: 3 });
  const answer = await undo(supplier, moved.id);
  expect(answer.body).toMatchObject({
    job: { kind: 'UNDO', undoes_job: moved.id, lines: 3 },
    changed_since: NOTHING_SINCE,
  });
  const job = await ended(supplier, answer.body.job.id);
  expect(job.counts).toMatchObject({ undone: 3, refused: 0, failed: 0, waiting: 0 });
  expect(job.sums).toMatchObject({
    ...{ transfer_balance_debit: '-144.60', notes: 3, customers: moved.sums.customers },
    transactions: { CHARGE: { count: 3, amount: '37.02' }, PAYMENT: { count: 3, amount: '15.00' } },
    statements: { count: 3, gross: '336.21' },
    supply_points: moved.sums.supply_points,
  });
  expect(await statesOf(supplier)).toEqual(Object.fromEntries(lines.map((line) => [numberOf(line), 'UNDONE'])));
  const results = await resultsOf(supplier, job.id);
  expect(results.map(({ outcome }) => outcome)).toEqual(['undone', 'undone', 'undone']);
  expect(results.map(({ external_account_number }) => external_account_number).sort()).toEqual(
    lines.map(numberOf).sort(),
  );
  expect(
    await prisma.note.count({ where: { account: { account_import: { import_supplier_code: supplier.code } } } }),
  ).toBe(0);
});

test('30.3.3 keeps accounts that received something since, unless it is sent exactly what they have', async () => {
  const supplier = await service.createSupplier(settings);
  const [one, other] = [lineOf(supplier), lineOf(supplier)];
  const { id } = await move(supplier, [one, other]);
  const reference = { import_supplier: supplier.code, external_account_number: numberOf(other) };
  const note = (body: string) => supplier.post('notes/create/', { ...reference, notes: [{ body }] });
  await note('Later.');
  const since = {
    ...{ accounts: 1, notes: 2, transactions: 2, transactions_sum: '17.34', statements: 1, statements_gross: '112.07' },
    payment_instructions: 0,
  };
  const first = await undo(supplier, id);
  expect(first.body.changed_since).toEqual(since);
  const job = await ended(supplier, first.body.job.id);
  expect(job.counts).toMatchObject({ undone: 1, refused: 1 });
  const kept = (await resultsOf(supplier, job.id)).filter(({ outcome }) => outcome === 'refused');
  expect(kept).toMatchObject([{ external_account_number: numberOf(other), code: 'changed_since' }]);
  await note('Later still.');
  const refused = await undo(supplier, id, { include_later: true, changed_since: since });
  expect([refused.status, refused.body.code]).toEqual([409, 'changed_since']);
  const included = await undone(supplier, id, { include_later: true, changed_since: { ...since, notes: 3 } });
  expect(included.counts).toMatchObject({ undone: 1, refused: 0 });
  expect(new Set(Object.values(await statesOf(supplier)))).toEqual(new Set(['UNDONE']));
});

test('30.3.4 keeps accounts to which the job only added something, and those that others created', async () => {
  const supplier = await service.createSupplier(settings);
  const existing = await supplier.importAccount();
  const moved = lineOf(supplier);
  const history = { external_account_number: existing.externalAccountNumber, notes: [{ body: 'Added.' }] };
  const { id } = await move(supplier, [moved, history]);
  const job = await undone(supplier, id);
  expect(job.counts).toMatchObject({ undone: 1, refused: 1 });
  const [kept] = (await resultsOf(supplier, job.id)).filter(({ outcome }) => outcome === 'refused');
  expect(kept).toMatchObject({
    external_account_number: existing.externalAccountNumber,
    code: 'account_not_created_by_this_job',
  });
  expect(await prisma.note.count({ where: { account_import_id: existing.id } })).toBe(1);
});

test('30.3.4 keeps an account that was undone and created again since', async () => {
  const supplier = await service.createSupplier(settings);
  const line = lineOf(supplier);
  const { id } = await move(supplier, [line]);
  await undone(supplier, id);
  await move(supplier, [line]);
  const again = await undo(supplier, id);
  expect(again.body.job.lines).toBe(0);
  expect((await ended(supplier, again.body.job.id)).counts.undone).toBe(0);
  expect(await statesOf(supplier)).toEqual({ [numberOf(line)]: 'COMPLETED' });
});

test('30.3.5 a dry run has the results, counts and money of the undo, and changes nothing', async () => {
  const supplier = await service.createSupplier(settings);
  const lines = [lineOf(supplier), lineOf(supplier)];
  const { id } = await move(supplier, lines);
  const tried = await undone(supplier, id, { dry_run: true });
  expect(tried).toMatchObject({ state: 'FINISHED', run_mode: 'REHEARSAL', counts: { undone: 2 } });
  expect(new Set(Object.values(await statesOf(supplier)))).toEqual(new Set(['COMPLETED']));
  expect(await prisma.retiredServiceAccountNumber.count({ where: { import_supplier_code: supplier.code } })).toBe(0);
  const done = await undone(supplier, id);
  expect([done.counts, done.sums]).toEqual([tried.counts, tried.sums]);
});

test('30.3.6 of two undos of a job at once each account is taken back by one, while both are paused and resumed', async () => {
  const supplier = await service.createSupplier(settings);
  const lines = Array.from({ length: 30 }, () => lineOf(supplier));
  const { id } = await move(supplier, lines);
  const jobs = await Promise.all([undo(supplier, id), undo(supplier, id)]);
  const ids: string[] = jobs.map(({ body }) => body.job.id);
  for (const job of ids) {
    await supplier.post(`bulk-jobs/${job}/pause/`, {});
    await supplier.post(`bulk-jobs/${job}/resume/`, {});
  }
  const counts = (await Promise.all(ids.map((job) => ended(supplier, job)))).map((job) => job.counts);
  const all = counts.map(({ undone: taken, refused }) => taken + refused);
  expect(counts.reduce((sum, each) => sum + each.undone, 0)).toBe(30);
  expect(all.every((number) => number === 30 || number === 0)).toBe(true);
  const { rows } = await pool.query(
    `SELECT subject_id FROM audit_events JOIN account_imports AS import ON import.id = subject_id
    WHERE action = 'undone' AND import_supplier_code = $1`,
    [supplier.code],
  );
  expect(rows).toHaveLength(30);
});

test('30.3.7 refuses a job that has not ended, that creates nothing, that nobody may undo, or that is not there', async () => {
  const supplier = await service.createSupplier();
  const open = await createJob(supplier);
  const codeOf = async (id: string) => (await undo(supplier, id)).body.code;
  expect(await codeOf(open)).toBe('bulk_job_state_not_allowed');
  const { id } = await move(supplier, [lineOf(supplier)]);
  expect(await codeOf(id)).toBe('undo_not_allowed');
  const staff = service.staff.bulkJobs.undo;
  expect((await refusal(staff.mutate({ job_id: id, reason: 'Wrong' }))).code).toBe('undo_not_allowed');
  await service.staff.importSuppliers.update.mutate({ code: supplier.code, undo_hours: 1 });
  expect(await codeOf(id)).toBe('undo_not_allowed');
  const { job } = await staff.mutate({ job_id: id, reason: 'Wrong' });
  expect((await ended(supplier, job.id)).counts.undone).toBe(1);
  expect((await refusal(staff.mutate({ job_id: job.id, reason: 'Wrong' }))).code).toBe('bulk_job_state_not_allowed');
  const other = await service.createSupplier(settings);
  expect((await undo(other, id)).body.code).toBe('bulk_job_does_not_exist');
});

test('21.6.4 30.3.1 an undo is a job too: none beside 20 that have not ended', async () => {
  const supplier = await service.createSupplier(settings);
  const { id } = await move(supplier, [lineOf(supplier)]);
  const open = await Promise.all(Array.from({ length: 20 }, () => createJob(supplier)));
  expect((await undo(supplier, id)).body.code).toBe('bulk_storage_full');
  await supplier.post(`bulk-jobs/${open[0]}/cancel/`, {});
  expect(await undone(supplier, id)).toMatchObject({ state: 'FINISHED', counts: { undone: 1 } });
});

test('30.3.8 an account on which another call works is kept, and taken back by the next undo', async () => {
  const supplier = await service.createSupplier(settings);
  const line = lineOf(supplier);
  const { id } = await move(supplier, [line, lineOf(supplier)]);
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM account_imports WHERE external_account_number = $1 FOR UPDATE', [numberOf(line)]);
  const first = await undone(supplier, id);
  await client.query('COMMIT');
  client.release();
  expect(first.counts).toMatchObject({ undone: 1, refused: 1 });
  const { counts } = await undone(supplier, id);
  expect(counts).toMatchObject({ undone: 1, refused: 0 });
});

test('30.3.8 an account into which something is imported meanwhile is kept, also if that ends while the undo waits', async () => {
  const supplier = await service.createSupplier(settings);
  const line = lineOf(supplier);
  const { id } = await move(supplier, [line]);
  using importing = await borrowConnection(pool);
  await importing.query('BEGIN');
  await importing.query(
    `UPDATE accounts SET revision = revision + 1 FROM account_imports AS import
    WHERE account_import_id = import.id AND import_supplier_code = $1`,
    [supplier.code],
  );
  using changing = await borrowConnection(pool);
  await changing.query('BEGIN');
  await changing.query('SELECT lock_import_supplier($1)', [supplier.code]);
  const { body } = await undo(supplier, id);
  await until(async () => {
    const { rows } = await pool.query(
      `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%undo_account_of_job%'`,
    );
    return rows.length > 0 || (await readJob(supplier, body.job.id)).state === 'FINISHED';
  });
  await importing.query('COMMIT');
  await changing.query('COMMIT');
  expect((await ended(supplier, body.job.id)).counts).toMatchObject({ undone: 0, refused: 1 });
  expect(await statesOf(supplier)).toEqual({ [numberOf(line)]: 'COMPLETED' });
});
