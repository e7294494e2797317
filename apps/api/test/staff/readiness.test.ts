import { compareMeterPoints } from '@causeway/domain';
import { expect, test } from 'vitest';
import { BREAKING, holdAccounts, holdAccountsIn } from '../account-imports/held-accounts.ts';
import { createJob, readJob, setState } from '../bulk/bulk-calls.ts';
import { withdraw } from '../manifests/manifest-calls.ts';
import { reconcile } from '../reconciliations/reconcile.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { type TestSupplier, until } from '../support/test-service.ts';
import { refusal } from './refusal.ts';

const service = await serviceWithLanes();
await holdAccountsIn(service.database);

const CONDITIONS = [
  'rehearsed',
  'no_unfinished_job',
  'no_account_in_progress',
  'no_failed_account',
  'no_open_problem',
  'no_undecided_remark',
  'reconciled',
];
const WITHOUT_PROOF = ['rehearsed', 'reconciled'];

const readinessOf = ({ code }: TestSupplier) => service.staff.overview.readiness.query({ code });

/** The conditions that are not met, by name, once all accounts are compared. */
async function missingOf(supplier: TestSupplier) {
  while (!(await compareMeterPoints(service.database, () => new Date())));
  const { conditions, ready } = await readinessOf(supplier);
  expect(conditions.map(({ name }) => name)).toEqual(CONDITIONS);
  const missing = conditions.filter(({ ok }) => !ok);
  expect(ready).toBe(missing.length === 0);
  return Object.fromEntries(missing.map(({ name, ...condition }) => [name, condition]));
}

/** Rehearses, or does, what is staged. */
async function run(supplier: TestSupplier, run_mode: 'REHEARSAL' | 'REAL'): Promise<void> {
  const id = await createJob(supplier, { kind: 'PROCESS', selection: {} });
  const { status, body } = await supplier.post(`bulk-jobs/${id}/start/`, { run_mode });
  expect(status, JSON.stringify(body)).toBe(200);
  await until(async () => (await readJob(supplier, id)).state === 'FINISHED');
}

function setComplete({ code }: TestSupplier, reason?: string) {
  return service.staff.importSuppliers.setStatus.mutate({ code, status: 'COMPLETE', ...(reason && { reason }) });
}

async function lastEventOf({ code }: TestSupplier) {
  return (await service.staff.audit.list.query({ subject: 'import_supplier', code })).at(-1);
}

test('24.2.1 a migration that was rehearsed, moved and reconciled is ready, and needs no reason', async () => {
  const supplier = await service.createSupplier();
  expect(Object.keys(await missingOf(supplier))).toEqual(WITHOUT_PROOF);
  const external_account_number = await supplier.stage();
  await run(supplier, 'REHEARSAL');
  expect(Object.keys(await missingOf(supplier))).toEqual(['reconciled']);
  await run(supplier, 'REAL');
  await reconcile(supplier, { lines: [{ external_account_number }] });
  expect(await missingOf(supplier)).toEqual({});
  expect((await readinessOf(supplier)).conditions[0]?.sentence).toMatch(/of 1 line; nothing has changed since\.$/);
  expect(await setComplete(supplier)).toMatchObject({ status: 'COMPLETE' });
  expect(await lastEventOf(supplier)).toMatchObject({ action: 'status_set', detail: { status: 'COMPLETE' } });
});

test('24.2.2 a rehearsal counts only until an account or the import supplier is changed', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const number = await supplier.stage();
  await run(supplier, 'REHEARSAL');
  await supplier.post(
    'account-import-process/create-or-update/',
    supplier.account({ external_account_number: number }),
  );
  await supplier.stage();
  await service.staff.importSuppliers.update.mutate({ code, balance_check: 'OFF' });
  const { rehearsed } = await missingOf(supplier);
  expect(rehearsed?.count).toBe(3);
  expect(rehearsed?.sentence).toMatch(
    /since it began: 2 accounts staged or attempted, 1 change of the import supplier/,
  );
  await run(supplier, 'REHEARSAL');
  expect(Object.keys(await missingOf(supplier))).toEqual(['reconciled']);
  await supplier.stage();
  // As of a job that is rehearsed again, and cancelled before it has ended.
  await service.database.pool.query(
    `INSERT INTO audit_events
     SELECT (jsonb_populate_record(event, jsonb_build_object('id', id + 1000000000, 'occurred_at', '2100-01-01'))).*
     FROM audit_events AS event
     WHERE action = 'started' AND subject_id IN (SELECT id FROM bulk_jobs WHERE import_supplier_code = $1)`,
    [code],
  );
  expect((await missingOf(supplier)).rehearsed).toMatchObject({ count: 1 });
});

test('24.2.2 a rehearsal within one moment is one, and what comes after it counts', async () => {
  service.setTime('2026-05-04T10:00:00.400Z');
  const supplier = await service.createSupplier();
  await run(supplier, 'REHEARSAL');
  service.setTime('2026-05-04T10:00:00.900Z');
  await supplier.stage();
  expect((await missingOf(supplier)).rehearsed).toMatchObject({ count: 1 });
  service.setTime(undefined);
});

test('24.2.3 a job that is paused, an account in progress, and a failed one are in the way until they are decided', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  const job = await createJob(supplier, { kind: 'PROCESS', selection: {} });
  const started = `run = 1, run_mode = 'REAL', started_at = now(), lines = 0`;
  await setState(service.database, job, 'PAUSED', `, state_reason = 'paused_by_staff', paused_at = now(), ${started}`);
  using hold = await holdAccounts(service.database);
  const held = await supplier.stage({ customers: [{ family_name: hold.familyName }] });
  const failing = await supplier.stage({ customers: [BREAKING] });
  const processing = supplier.post('account-import-process/process/', supplier.processRequest(held));
  await hold.waitFor(1);
  await supplier.post('account-import-process/process/', supplier.processRequest(failing));

  const { rehearsed: _rehearsed, reconciled: _reconciled, ...missing } = await missingOf(supplier);
  expect(missing).toEqual({
    no_unfinished_job: { ok: false, count: 1, sentence: '1 bulk job running or paused.' },
    no_account_in_progress: { ok: false, count: 1, sentence: '1 account in progress.' },
    no_failed_account: {
      ok: false,
      count: 1,
      sentence: '1 failed account without a decision: correct and process, or skip.',
    },
  });
  await hold.release();
  expect((await processing).status).toBe(201);
  await supplier.post(`bulk-jobs/${job}/cancel/`, {});
  await service.staff.accountImports.skip.mutate({ code, external_account_number: failing, reason: 'A double' });
  expect(Object.keys(await missingOf(supplier))).toEqual(WITHOUT_PROOF);
});

test('24.2.4 an open refusal is in the way until it is corrected; other suppliers’ are not', async () => {
  const [supplier, other] = [await service.createSupplier(), await service.createSupplier()];
  const { reference } = await supplier.importAccount();
  const importNotes = (notes: unknown[]) => supplier.post('notes/create/', { ...reference, notes });
  expect((await importNotes([{ body: '' }])).status).toBe(400);
  expect((await missingOf(supplier)).no_open_problem).toMatchObject({ count: 1 });
  expect(await missingOf(other)).not.toHaveProperty('no_open_problem');
  expect((await importNotes([{ body: 'Corrected' }])).status).toBe(201);
  expect(await missingOf(supplier)).not.toHaveProperty('no_open_problem');
});

test('24.2.5 the last reconciliation with a sealed manifest counts, until another account is created', async () => {
  const supplier = await service.createSupplier();
  const { externalAccountNumber: external_account_number } = await supplier.importAccount();
  const line = { external_account_number };
  const reconciled = async () => (await missingOf(supplier)).reconciled;
  expect(await reconciled()).toMatchObject({ count: 0 });
  const { manifest_id } = await reconcile(supplier, { lines: [line] });
  await withdraw(supplier, manifest_id);
  expect(await reconciled()).toMatchObject({ sentence: 'Nothing was reconciled with a manifest that is in force.' });
  await reconcile(supplier, { lines: [line] });
  expect(await reconciled()).toBeUndefined();
  const never = ['NEVER-1', 'NEVER-2', 'NEVER-3'].map((number) => ({ external_account_number: number }));
  await reconcile(supplier, { lines: [line, ...never] });
  expect(await reconciled()).toMatchObject({
    count: 3,
    sentence: expect.stringMatching(/: different in 3 accounts, not signed off\.$/),
  });
  await reconcile(supplier, { lines: [line] });
  await supplier.importAccount();
  expect(await reconciled()).toMatchObject({
    count: 1,
    sentence: expect.stringMatching(/: equal\. 1 account created since: reconcile again\.$/),
  });
  // One whose creation was in flight when the comparison ended began earlier.
  await service.database.pool.query(
    "UPDATE account_imports SET completed_at = '2020-01-01' WHERE import_supplier_code = $1",
    [supplier.code],
  );
  expect(await reconciled()).toMatchObject({ count: 1 });
});

test('24.2.6 COMPLETE without readiness needs a reason, which the trail keeps with what is missing', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  expect(await refusal(setComplete(supplier))).toEqual({
    status: 409,
    code: 'import_supplier_not_ready',
    attrs: ['reason'],
  });
  await expect(setComplete(supplier)).rejects.toThrow(
    'The import supplier is not ready: send a reason to complete it anyway. No bulk job was rehearsed. Nothing was reconciled with a manifest that is in force.',
  );
  expect(await service.staff.importSuppliers.get.query({ code })).toMatchObject({ status: 'ONGOING' });
  expect(await setComplete(supplier, 'The rest is moved by hand')).toMatchObject({ status: 'COMPLETE' });
  expect(await lastEventOf(supplier)).toMatchObject({
    action: 'status_set',
    detail: { status: 'COMPLETE', reason: 'The rest is moved by hand', missing: WITHOUT_PROOF },
  });
  // Again it changes nothing, and needs no reason.
  expect(await setComplete(supplier)).toMatchObject({ status: 'COMPLETE' });
});

test('24.2.1 the readiness of an import supplier that was never created is refused', async () => {
  const { readiness } = service.staff.overview;
  expect(await refusal(readiness.query({ code: 'NONE' }))).toEqual({
    status: 400,
    code: 'import_supplier_does_not_exist',
    attrs: ['code'],
  });
});
