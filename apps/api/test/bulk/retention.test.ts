import { zstdDecompressSync } from 'node:zlib';
import { removeBulkFiles } from '@causeway/domain';
import { beforeEach, expect, test } from 'vitest';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { addChunk, createJob, fileCall, line, ndjson, putPart, readJob, startedJob } from './bulk-calls.ts';

let supplier: TestSupplier;

const service = await serviceOfFile();
beforeEach(async () => {
  supplier = await service.createSupplier();
});

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

/** What is stored of the lines of a job. */
async function storedOf(id: string) {
  const { rows } = await service.database.pool.query(
    `SELECT (SELECT count(*)::integer FROM bulk_bodies WHERE job_id = $1) AS bodies,
       (SELECT count(results)::integer FROM bulk_chunks WHERE job_id = $1) AS results,
       (SELECT count(refused_lines)::integer FROM bulk_chunks WHERE job_id = $1) AS failed_rows`,
    [id],
  );
  return rows[0];
}

const failedRow = (number: string) =>
  `{"line":1,"code":"invalid_json","errors":[],"data":{"account":{"external_account_number":"${number}","billing_name":"Canary"}}}`;

test('21.5.8 the files of a job are removed 30 days after its end, and its figures stay', async () => {
  const id = await startedJob(supplier, service.database, { lines: [line('A-1'), line('A-2')] });
  const counts = { created: 1 };
  await addChunk(service.database, id, { counts, results: [{ line: 1 }], failed_rows: [failedRow('A-1')] });
  await removeBulkFiles(service.database, inDays(100));
  expect(await storedOf(id)).toEqual({ bodies: 1, results: 1, failed_rows: 1 });
  await supplier.post(`bulk-jobs/${id}/cancel/`, {});
  await removeBulkFiles(service.database, inDays(29.9));
  expect(await storedOf(id)).toEqual({ bodies: 1, results: 1, failed_rows: 1 });
  await removeBulkFiles(service.database, inDays(30.1));
  expect(await storedOf(id)).toEqual({ bodies: 0, results: 0, failed_rows: 0 });
  expect(await readJob(supplier, id)).toMatchObject({ state: 'CANCELLED', counts: { created: 1, not_processed: 1 } });
  const { files_removed_at } = await service.database.prisma.bulkJob.findUniqueOrThrow({ where: { id } });
  expect(files_removed_at).not.toBeNull();
});

test('21.5.8 a job that nobody has started in time is cancelled', async () => {
  const id = await createJob(supplier);
  await putPart(supplier, { id }, ndjson([line('A-1')]));
  await removeBulkFiles(service.database, inDays(29.9));
  expect(await readJob(supplier, id)).toMatchObject({ state: 'OPEN' });
  await removeBulkFiles(service.database, inDays(30.1));
  expect(await readJob(supplier, id)).toMatchObject({ state: 'CANCELLED', state_reason: null });
  await removeBulkFiles(service.database, inDays(30.2));
  expect(await storedOf(id)).toEqual({ bodies: 0, results: 0, failed_rows: 0 });
  const where = { subject_id: id, action: 'cancelled' };
  expect(await service.database.prisma.auditEvent.findFirst({ where })).toMatchObject({ actor: 'service' });
});

test('21.5.8 a job that nobody has resumed in time is cancelled, and one that continues is not', async () => {
  const [id, other] = [await startedJob(supplier, service.database), await startedJob(supplier, service.database)];
  for (const each of [id, other]) await supplier.post(`bulk-jobs/${each}/pause/`, {});
  expect(Date.parse((await readJob(supplier, id)).files_expire_at ?? '')).toBeGreaterThan(inDays(29.9).getTime());
  await supplier.post(`bulk-jobs/${other}/resume/`, {});
  expect(await readJob(supplier, other)).toMatchObject({ state: 'RUNNING', files_expire_at: null });
  await removeBulkFiles(service.database, inDays(29.9));
  expect(await readJob(supplier, id)).toMatchObject({ state: 'PAUSED' });
  await removeBulkFiles(service.database, inDays(30.1));
  expect(await readJob(supplier, id)).toMatchObject({ state: 'CANCELLED', state_reason: null });
  expect(await readJob(supplier, other)).toMatchObject({ state: 'RUNNING' });
  await removeBulkFiles(service.database, inDays(30.2));
  expect(await storedOf(id)).toMatchObject({ bodies: 0 });
  const where = { subject_id: id, action: 'cancelled' };
  expect(await service.database.prisma.auditEvent.findFirst({ where })).toMatchObject({ actor: 'service' });
});

test('21.5.9 an erasure reaches the lines of an account that wait, and its failed rows', async () => {
  const number = await supplier.stage();
  const account = (external_account_number: string) => ({
    account: { external_account_number, billing_name: 'Canary' },
  });
  const escaped = `{"account":{"external_account_number":"${number.replace('A', '\\u0041')}","billing_name":"Canary"}}`;
  const waiting = await createJob(supplier);
  await putPart(supplier, { id: waiting }, ndjson([account('B-1'), '', account(number), escaped, account('B-2')]));
  const done = await startedJob(supplier, service.database);
  await addChunk(service.database, done, { failed_rows: [failedRow('B-1'), failedRow(number), failedRow('B-2')] });
  const foreign = await service.createSupplier();
  const theirs = await createJob(foreign);
  await putPart(foreign, { id: theirs }, ndjson([account(number)]));

  await service.staff.accounts.erase.mutate({
    code: supplier.code,
    external_account_number: number,
    reason: 'Asked for',
  });

  const { rows } = await service.database.pool.query('SELECT body, lines FROM bulk_bodies WHERE job_id = $1', [
    waiting,
  ]);
  const left = JSON.stringify({ external_account_number: number });
  const lines = [JSON.stringify(account('B-1')), '', left, left, JSON.stringify(account('B-2'))];
  expect(zstdDecompressSync(rows[0].body).toString()).toBe(ndjson(lines).toString());
  const failed = await fileCall(supplier, `bulk-jobs/${done}/failed-rows/`);
  expect(failed.text).toBe(`${failedRow('B-1')}\n${failedRow('B-2')}\n`);
  const others = await fileCall(foreign, `bulk-jobs/${theirs}/unprocessed-rows/`);
  expect(others.text).toContain('Canary');
});

test('21.5.9 an erasure reaches lines that wait and are not JSON, or name the account twice', async () => {
  const number = await supplier.stage();
  const cut = (named: string) => `{"account":{"external_account_number":"${named}","billing_name":"Canary`;
  const twice = `{"account":{"external_account_number":"${number}","external_account_number":"${number}","x":"Canary"}}`;
  const kept = cut(`${number}9`);
  const waiting = await createJob(supplier);
  await putPart(supplier, { id: waiting }, ndjson([cut(number), '', twice, kept]));

  const { code } = supplier;
  await service.staff.accounts.erase.mutate({ code, external_account_number: number, reason: 'Asked for' });

  const { rows } = await service.database.pool.query('SELECT body FROM bulk_bodies WHERE job_id = $1', [waiting]);
  const left = JSON.stringify({ external_account_number: number });
  expect(zstdDecompressSync(rows[0].body).toString()).toBe(ndjson([left, '', left, kept]).toString());
});

test('21.5.9 an erasure reaches failed rows that are not JSON, or name the account twice', async () => {
  const number = await supplier.stage();
  const cut = (named: string) => `{"account":{"external_account_number":"${named}","billing_name":"Canary`;
  const twice = `{"account":{"external_account_number":"${number}","external_account_number":"${number}"}}`;
  const rowOf = (data: unknown, line = 1) => `{"line":${line},"code":"parse_error","errors":[],"data":${data}}`;
  const kept = rowOf(JSON.stringify(cut(`${number}9`)), 3);
  const done = await startedJob(supplier, service.database);
  await addChunk(service.database, done, { failed_rows: [rowOf(JSON.stringify(cut(number))), rowOf(twice, 2), kept] });

  const { code } = supplier;
  await service.staff.accounts.erase.mutate({ code, external_account_number: number, reason: 'Asked for' });

  const { text } = await fileCall(supplier, `bulk-jobs/${done}/failed-rows/`);
  expect(text).toBe(`${kept}\n`);
});
