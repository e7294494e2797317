import { borrowConnection } from '@causeway/testing/borrow-connection';
import { expect, test } from 'vitest';
import { createJob, ndjson, putPart, readJob } from '../bulk/bulk-calls.ts';
import { statement } from '../bundles/support.ts';
import { rowsOfAccount } from '../support/rows-of-account.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { type TestSupplier, until } from '../support/test-service.ts';
import { tablesWith } from './support.ts';

const service = await serviceWithLanes();
const { prisma, pool } = service.database;
const settings = { undo_hours: 24, suppliers_may_undo: true };
const DAY = new Date().toISOString().slice(0, 10);

const lineOf = (supplier: TestSupplier, external_account_number: string) => ({
  account: supplier.account({ external_account_number }),
  notes: [{ body: 'Of the book.', created_at: '2026-03-01T10:00:00Z' }],
  transactions: [
    { transaction_id: 'T-1', transaction_date: DAY, type: 'CHARGE', reason: 'IMPORTED_CHARGE', amount: 12.34 },
  ],
  statements: [statement('ST-1')],
});
const numbersOf = (count: number) => Array.from({ length: count }, (_, index) => `A-${index + 1}`);

async function ended(supplier: TestSupplier, id: string) {
  await until(async () => (await readJob(supplier, id)).state === 'FINISHED');
  return readJob(supplier, id);
}

async function move(supplier: TestSupplier, numbers: readonly string[]): Promise<string> {
  const id = await createJob(supplier);
  await putPart(supplier, { id }, ndjson(numbers.map((number) => lineOf(supplier, number))));
  await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' });
  await ended(supplier, id);
  return id;
}

const startUndo = async (supplier: TestSupplier, id: string): Promise<string> =>
  (await supplier.post(`bulk-jobs/${id}/undo/`, {})).body.job.id;

const importsOf = ({ code: import_supplier_code }: TestSupplier) =>
  prisma.accountImport.findMany({ where: { import_supplier_code }, orderBy: { external_account_number: 'asc' } });

test('30.3.1 each account is undone once, however often the sessions of the lanes are killed', async () => {
  const supplier = await service.createSupplier(settings);
  const numbers = numbersOf(300);
  const moved = await move(supplier, numbers);
  // Each lane waits in the middle of its first account, and is killed there.
  using client = await borrowConnection(pool);
  await client.query('BEGIN');
  await client.query('SELECT lock_import_supplier($1)', [supplier.code]);
  const job = await startUndo(supplier, moved);
  let kills = 0;
  await until(async () => {
    const { rows } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%undo_account_of_job%'`,
    );
    kills += rows.length;
    return kills >= 4;
  });
  await client.query('COMMIT');
  await ended(supplier, job);
  const { counts } = await readJob(supplier, job);
  expect(counts).toMatchObject({ undone: 300, refused: 0, failed: 0 });
  const where = { import_supplier_code: supplier.code };
  expect(await prisma.retiredServiceAccountNumber.count({ where })).toBe(300);
  const imports = await importsOf(supplier);
  expect(new Set(imports.map(({ state }) => state))).toEqual(new Set(['UNDONE']));
  const events = await prisma.auditEvent.count({
    where: { action: 'undone', subject_id: { in: imports.map(({ id }) => id) } },
  });
  expect(events).toBe(300);
});

test('30.3.3 beside imports an account is kept with what arrived, or gone with what came before', async () => {
  const supplier = await service.createSupplier(settings);
  const numbers = numbersOf(60);
  const id = await move(supplier, numbers);
  const notes = numbers.map((external_account_number) =>
    supplier.post('notes/create/', {
      ...{ import_supplier: supplier.code, external_account_number },
      notes: [{ body: 'Meanwhile.' }],
    }),
  );
  const job = await startUndo(supplier, id);
  const answers = await Promise.all(notes);
  await ended(supplier, job);
  const imports = await importsOf(supplier);
  for (const { id: of, external_account_number, state } of imports) {
    const { status } = answers[numbers.indexOf(external_account_number)] ?? {};
    if (state === 'UNDONE') expect(await tablesWith(service, of)).toEqual([]);
    else {
      expect(status).toBe(201);
      expect(await prisma.note.count({ where: { account_import_id: of } })).toBe(2);
    }
  }
  expect((await readJob(supplier, job)).counts.undone).toBe(imports.filter(({ state }) => state === 'UNDONE').length);
});

test('30.1.10 30.3.1 a book that was moved, undone and moved again leaves what it leaves when it is moved once', async () => {
  const [once, twice] = [await service.createSupplier(settings), await service.createSupplier(settings)];
  const numbers = numbersOf(3);
  await move(once, numbers);
  await ended(twice, await startUndo(twice, await move(twice, numbers)));
  await move(twice, numbers);
  const different = [
    ...['id', 'account_import_id', 'import_supplier_code', 'service_account_number', 'payload', 'payload_size'],
    ...['staging_order', 'completion_order', 'times_staged', 'attempts', 'undone_at', 'created_at', 'staged_at'],
    ...['updated_at', 'completed_at', 'identifier', 'details', 'created_by_job', 'operations_team_id'],
  ];
  const rowsOf = async (supplier: TestSupplier) => {
    const imports = await importsOf(supplier);
    return Promise.all(
      imports.map(async ({ id }) => {
        const {
          audit_events: _,
          retired_service_account_numbers: __,
          ...rows
        } = await rowsOfAccount(service.database, id, different);
        return rows;
      }),
    );
  };
  expect(await rowsOf(twice)).toEqual(await rowsOf(once));
});
