import { beforeEach, describe, expect, test } from 'vitest';
import { followPages } from '../support/follow-pages.ts';
import { serviceOfFile, type TestSupplier } from '../support/test-service.ts';
import { addChunk, createJob, fileCall, line, ndjson, putPart, readJob, setState, startedJob } from './bulk-calls.ts';

let supplier: TestSupplier;

const service = await serviceOfFile();
beforeEach(async () => {
  supplier = await service.createSupplier();
});

const LINES = Array.from({ length: 300 }, (_, index) => line(`A-${index + 1}`));
const started = () => startedJob(supplier, service.database, { lines: LINES });
const result = (number: number, outcome = 'created') => ({
  line: number,
  external_account_number: `A-${number}`,
  outcome,
});
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const linesOf = (text: string) => text.split('\n').slice(0, -1);
const numbersOf = (text: string) => linesOf(text).map((json) => JSON.parse(json).line);
const file = (id: string, name: string) => fileCall(supplier, `bulk-jobs/${id}/${name}`);

/** A job with three chunks: one done, one half done, one not begun. */
async function halfDone(): Promise<string> {
  const id = await started();
  await addChunk(service.database, id, {
    number: 1_000,
    lines: 100,
    counts: { created: 99, refused: 1 },
    results: range(1, 100).map((number) => result(number, number === 7 ? 'refused' : 'created')),
    failed_rows: ['{"line":7,"code":"invalid_json","errors":[],"data":{"amount":1.10, "a":[1]}}'],
  });
  await addChunk(service.database, id, {
    number: 1_001,
    first_line: 101,
    lines: 100,
    cursor: 40,
    counts: { unchanged: 39, refused: 1 },
    results: range(101, 140).map((number) => result(number, number === 120 ? 'refused' : 'unchanged')),
    failed_rows: ['{"line":120,"code":"invalid_json","errors":[],"data":"no \\"JSON\\""}'],
  });
  await addChunk(service.database, id, { number: 1_002, first_line: 201, lines: 100, cursor: 0 });
  return id;
}

describe('results', () => {
  test('21.5.5 are streamed in the order of the lines while the job runs', async () => {
    const id = await halfDone();
    const { status, text, headers } = await file(id, 'results/');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    expect(numbersOf(text)).toEqual(range(1, 140));
    expect(JSON.parse(linesOf(text)[0] ?? '')).toEqual(result(1));
  });

  test('21.5.5 are those of one outcome, if one is asked for', async () => {
    const id = await halfDone();
    expect(numbersOf((await file(id, 'results/?outcome=refused')).text)).toEqual([7, 120]);
    expect((await file(id, 'results/?outcome=failed')).text).toBe('');
    expect((await file(id, 'results/?outcome=other')).body.errors).toMatchObject([{ attr: 'outcome' }]);
  });

  test('21.5.5 are read page by page over REST and tRPC, with nothing left out', async () => {
    const id = await halfDone();
    const pages = await followPages(supplier, `bulk-jobs/${id}/results/?limit=33&outcome=created`);
    expect(pages.flat().map((record) => record.line)).toEqual(range(1, 100).filter((number) => number !== 7));
    const page = await supplier.trpc.dataImport.bulkJobResults.query({ job_id: id, after: 98, limit: 4 });
    expect(page.map((record) => record.line)).toEqual([99, 100, 101, 102]);
  });

  test('21.5.5 of many chunks are whole, however many are read at a time', async () => {
    const id = await started();
    for (const index of range(0, 119)) {
      const first_line = 1 + index * 20;
      const results = range(first_line, first_line + 19).map((number) => result(number));
      await addChunk(service.database, id, {
        number: 1_000 + index,
        first_line,
        lines: 20,
        counts: { created: 20 },
        results,
      });
    }
    expect(numbersOf((await file(id, 'results/')).text)).toEqual(range(1, 2_400));
  });
});

describe('rows', () => {
  test('21.5.6 failed rows are as they were written, or the lines alone', async () => {
    const id = await halfDone();
    const { text, headers } = await file(id, 'failed-rows/');
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(numbersOf(text)).toEqual([7, 120]);
    const plain = await file(id, 'failed-rows/?form=plain');
    expect(linesOf(plain.text)).toEqual(['{"amount":1.10, "a":[1]}', 'no "JSON"']);
    expect((await file(id, 'failed-rows/?form=csv')).status).toBe(400);
  });

  test('21.5.7 unprocessed rows are those without an outcome, as they were sent', async () => {
    const id = await halfDone();
    await service.database.pool.query('DELETE FROM bulk_bodies WHERE job_id = $1 AND number = 1000', [id]);
    const { text } = await file(id, 'unprocessed-rows/');
    expect(text).toBe(ndjson([...LINES.slice(140, 200), ...LINES.slice(200)]).toString());
  });

  test('21.5.7 of a job that was cancelled before it was started, unprocessed rows are all of it', async () => {
    const id = await createJob(supplier);
    const lines = ['{"a":  1}', 'no JSON', ...LINES.slice(0, 2)];
    await putPart(supplier, { id }, ndjson(lines));
    await supplier.post(`bulk-jobs/${id}/cancel/`, {});
    expect((await file(id, 'unprocessed-rows/')).text).toBe(ndjson(lines).toString());
  });

  test('21.5.8 files that have expired are refused, and nothing else is', async () => {
    const id = await halfDone();
    await setState(service.database, id, 'FINISHED', ", finished_at = now(), files_expire_at = now() - interval '1 s'");
    for (const name of ['results/', 'failed-rows/', 'unprocessed-rows/']) {
      const { status, body } = await file(id, name);
      expect([status, body.code]).toEqual([404, 'bulk_files_expired']);
    }
    expect(await readJob(supplier, id)).toMatchObject({ state: 'FINISHED', counts: { created: 99 } });
    expect((await file(id, 'errors/')).status).toBe(200);
  });
});

describe('progress', () => {
  test('21.5.3 a job that runs has a rate and an estimate, one that is paused has neither', async () => {
    const id = await started();
    const finished_at = new Date(Date.now() - 10_000).toISOString();
    await addChunk(service.database, id, { number: 1_000, lines: 150, finished_at });
    await addChunk(service.database, id, { number: 1_001, first_line: 151, lines: 150, cursor: 0 });
    const before = "UPDATE bulk_chunks SET started_at = now() - interval '60 s' WHERE job_id = $1";
    await service.database.pool.query(before, [id]);
    const { accounts_per_second, estimate } = await readJob(supplier, id);
    expect(accounts_per_second).toBeGreaterThan(2);
    const left = Date.parse(estimate?.finishes_at ?? '') - Date.now();
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThan(80_000);
    await supplier.post(`bulk-jobs/${id}/pause/`, {});
    expect(await readJob(supplier, id)).toMatchObject({ accounts_per_second: null, estimate: null });
  });

  test('21.5.4 problems are added up over the chunks, with the description of the field', async () => {
    const id = await started();
    const cluster = (accounts: number, samples: string[]) => ({
      ...{ step: 'validate', code: 'invalid_phone_number', attr: 'customers.*.landline', accounts, samples },
    });
    const warning = {
      step: 'notes',
      code: 'undocumented_field',
      attr: 'nickname',
      accounts: 1,
      samples: ['A-9'],
      warning: true,
    };
    await addChunk(service.database, id, { lines: 100, clusters: [cluster(2, ['A-1', 'A-2']), warning] });
    await addChunk(service.database, id, {
      number: 1_001,
      first_line: 101,
      lines: 100,
      clusters: [cluster(5, ['A-3', 'A-4'])],
    });
    const { body } = await file(id, 'errors/');
    expect(body).toMatchObject([
      {
        ...{ operation: 'validate', refused: true, code: 'invalid_phone_number', accounts: 7 },
        sample_account_numbers: ['A-1', 'A-2', 'A-3'],
      },
      { operation: 'notes', refused: false, code: 'undocumented_field', accounts: 1, description: null },
    ]);
    expect(body[0].description).toMatch(/phone|landline/i);
    expect(await supplier.trpc.dataImport.bulkJobErrors.query({ job_id: id })).toEqual(body);
  });
});
