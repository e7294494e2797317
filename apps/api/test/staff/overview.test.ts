import { takeProgressSamples, thinProgressSamples } from '@causeway/domain';
import { beforeEach, expect, test } from 'vitest';
import { createJob, startedJob } from '../bulk/bulk-calls.ts';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { refusal } from './refusal.ts';

let supplier: TestSupplier;
/** Later than all that the service itself samples, and than the tests before: each has a time of its own. */
let begin = Date.UTC(2030, 0, 1);

const service = await serviceOfFile();
beforeEach(async () => {
  supplier = await service.createSupplier();
  begin += 30 * 86_400_000;
});

const after = (seconds: number) => new Date(begin + seconds * 1_000);
const text = (seconds: number) => after(seconds).toISOString().replace('.000', '');
const take = (seconds: number) => takeProgressSamples(service.database, after(seconds));

interface TestSample {
  seconds: number;
  staged?: number;
  failed?: number;
  completed?: number;
  took_ms?: number;
}

async function addSamples(samples: readonly TestSample[]): Promise<void> {
  const data = samples.map(({ seconds, ...counts }) => {
    const known = { staged: 0, failed: 0, skipped: 0, completed: 0, problems: 2, ...counts };
    return { import_supplier_code: supplier.code, at: after(seconds), ...known };
  });
  await service.database.prisma.progressSample.createMany({ data });
}

const progressOf = (from: number, to: number) => {
  const period = { from: text(from), to: text(to) };
  return service.staff.overview.progress.query({ code: supplier.code, ...period });
};

async function migrationOf(code: string) {
  const rows = await service.staff.overview.migrations.query();
  expect(rows.map((row) => row.code)).toEqual(rows.map((row) => row.code).sort());
  return rows.find((row) => row.code === code);
}

test('14.9.1 the accounts of each import supplier are counted by state, once by all who try', async () => {
  await supplier.importAccount();
  await supplier.stage();
  await Promise.all([take(0), take(0), take(0)]);
  const [sample, ...others] = await progressOf(0, 1);
  expect(sample).toEqual({
    at: text(0),
    ...{ staged: 1, failed: 0, skipped: 0, completed: 1, undone: 0 },
  });
  expect(others).toEqual([]);
});

test('14.9.3 kinds of problem are counted as they are listed, at once', async () => {
  await expect(supplier.stage({ customers: [{ family_name: 'Hartley', landline: '12' }] })).rejects.toThrow();
  await take(0);
  const listed = await service.staff.dataImport.listProblems.query({ import_supplier_code: supplier.code });
  expect(listed.length).toBeGreaterThan(0);
  expect((await migrationOf(supplier.code))?.open_problems).toBe(listed.length);
});

test('14.9.1 samples are ten seconds apart, or 20 times as long as counting took', async () => {
  expect(await take(0)).toBeGreaterThan(0);
  expect(await take(9.9)).toBe(0);
  expect(await take(10)).toBeGreaterThan(0);
  await addSamples([{ seconds: 20, took_ms: 3_000 }]);
  expect(await take(79.9)).toBe(0);
  expect(await take(80)).toBeGreaterThan(0);
});

test('14.9.1 an import supplier that is COMPLETE is counted once an hour', async () => {
  const { code } = supplier;
  await service.staff.importSuppliers.setStatus.mutate({ code, status: 'COMPLETE', reason: 'It is over' });
  for (const seconds of [0, 10, 3_590, 3_600]) await take(seconds);
  expect(await progressOf(0, 4_000)).toHaveLength(2);
  await service.staff.importSuppliers.setStatus.mutate({ code, status: 'ONGOING', reason: 'A second cohort' });
  await take(3_610);
  expect(await progressOf(0, 4_000)).toHaveLength(3);
});

test('14.9.1 of samples older than a day, the last one of ten minutes is kept', async () => {
  await addSamples([0, 10, 590, 600, 610, 1_190].map((seconds) => ({ seconds })));
  await thinProgressSamples(service.database, after(86_400 + 600));
  const kept = await progressOf(0, 2_000);
  expect(kept.map(({ at }) => (Date.parse(at) - begin) / 1_000)).toEqual([590, 600, 610, 1_190]);
});

test('14.9.2 of many samples, each part of the time has its last one', async () => {
  await addSamples(Array.from({ length: 1_500 }, (_, index) => ({ seconds: index, completed: index })));
  const points = await progressOf(0, 1_500);
  expect(points.map(({ completed }) => completed)).toEqual(Array.from({ length: 500 }, (_, part) => part * 3 + 2));
});

test('14.9.2 an unknown import supplier, or a time that ends before it begins, is refused', async () => {
  const asked = { from: '2030-01-01T00:00:00Z', to: '2030-01-02T00:00:00Z' };
  const { progress } = service.staff.overview;
  expect(await refusal(progress.query({ ...asked, code: 'NONE' }))).toMatchObject({
    code: 'import_supplier_does_not_exist',
  });
  const backwards = { code: supplier.code, from: asked.to, to: asked.from };
  expect(await refusal(progress.query(backwards))).toMatchObject({
    attrs: ['to'],
  });
});

test('14.9.3 a migration has its last counts, its rate, an estimate with a band, and its started jobs', async () => {
  const minutes = Array.from({ length: 11 }, (_, minute) => minute);
  await addSamples(
    minutes.map((minute) => ({ seconds: minute * 60, staged: 6_000 - minute * 600, completed: minute * 600 })),
  );
  await createJob(supplier);
  const id = await startedJob(supplier, service.database);
  const row = await migrationOf(supplier.code);
  expect(row).toMatchObject({
    ...{ status: 'ONGOING', staged: 0, completed: 6_000, left: 0, open_problems: 2, accounts_per_second: 10 },
    jobs: [{ id, state: 'RUNNING' }],
  });
  await addSamples([{ seconds: 660, staged: 400, failed: 200, completed: 6_600 }]);
  expect((await migrationOf(supplier.code))?.estimate).toEqual({
    ...{ finishes_at: text(720), from: text(720), to: text(720) },
  });
});

test('14.9.3 there is no estimate once nothing is created, no rate while the import supplier is paused', async () => {
  await addSamples([0, 60, 120].map((seconds) => ({ seconds, staged: 50, completed: Math.min(seconds, 60) })));
  expect(await migrationOf(supplier.code)).toMatchObject({
    accounts_per_second: 0,
    estimate: { to: expect.any(String) },
  });
  await addSamples([{ seconds: 200, staged: 50, completed: 60 }]);
  expect(await migrationOf(supplier.code)).toMatchObject({ accounts_per_second: 0, estimate: null, left: 50 });
  await service.staff.importSuppliers.setStatus.mutate({ code: supplier.code, status: 'PAUSED' });
  expect(await migrationOf(supplier.code)).toMatchObject({ accounts_per_second: null, estimate: null, left: 50 });
});

test('14.9.3 counts no accounts: what was staged since the last sample is in the next one', async () => {
  await addSamples([{ seconds: 0, staged: 7 }]);
  await supplier.stage();
  expect(await migrationOf(supplier.code)).toMatchObject({ staged: 7, left: 7 });
  await take(100);
  expect(await migrationOf(supplier.code)).toMatchObject({ staged: 1, left: 1 });
});
