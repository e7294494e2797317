import { randomUUID } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { FailedRow, ResultLine } from '@causeway/contracts';
import { expect, test } from 'vitest';
import { serviceOfFile, type TestSupplier, until } from '../support/test-service.ts';
import { createJob, fileCall, putPart, readJob } from './bulk-calls.ts';

const service = await serviceOfFile({ BULK_LANES: '2', MAX_BODY_BYTES: '100000' });

/** Uploads these parts, has them moved, and returns what happened to each line. */
async function move(supplier: TestSupplier, parts: readonly Uint8Array[]) {
  const options = { operations_team_name: supplier.teamName, max_refused_ratio: null, parallelism: 2 };
  const id = await createJob(supplier, { options });
  for (const [index, part] of parts.entries()) {
    const answer = await putPart(supplier, { id, number: index + 1 }, part);
    expect(answer.status, answer.text).toBe(201);
  }
  const { status } = await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL', parts: parts.length });
  expect(status).toBe(200);
  await until(async () => (await readJob(supplier, id)).state === 'FINISHED');
  const file = async (name: string) => (await fileCall(supplier, `bulk-jobs/${id}/${name}/`)).text;
  const linesIn = (text: string) => text.split('\n').filter((line) => line !== '');
  const failedRows = await file('failed-rows');
  return {
    results: linesIn(await file('results')).map((line) => ResultLine.parse(JSON.parse(line))),
    failedRows,
    failed: linesIn(failedRows).map((line) => FailedRow.parse(JSON.parse(line))),
  };
}

async function storedNumbers({ code }: TestSupplier): Promise<string[]> {
  const { rows } = await service.database.pool.query<{ external_account_number: string }>(
    `SELECT external_account_number FROM account_imports WHERE import_supplier_code = $1 AND state = 'COMPLETED'
     ORDER BY 1`,
    [code],
  );
  return rows.map(({ external_account_number }) => external_account_number);
}

const numberOf = (index: number) => `HV-${String(index).padStart(4, '0')}`;

function goodLine({ code }: TestSupplier, index: number): string {
  const account = { import_supplier: code, external_account_number: numberOf(index), unknown_occupier: true };
  const notes = [{ body: `Note of ${index}`, created_at: '2026-01-02T03:04:05Z' }];
  return JSON.stringify({ account, notes });
}

/** Lines that are refused, each with its code and how its failed row gives it back. */
const BAD: [Buffer, string, unknown?][] = [
  [Buffer.from('{"account":'), 'invalid_json', '{"account":'],
  [Buffer.from('{"a":"\xE9"}', 'latin1'), 'invalid_utf8', '{"a":"\uFFFD"}'],
  [Buffer.from('{"a":"\0"}'), 'nul_character', '{"a":"\0"}'],
  [Buffer.from('[1,2]'), 'not_an_object', [1, 2]],
  [Buffer.from('"HV-1"'), 'not_an_object', '"HV-1"'],
  [Buffer.from('{"account":{"a":1,"a":2}}'), 'duplicate_key'],
  [Buffer.from(`{"account":"${'x'.repeat(200_000)}"}`), 'line_too_long'],
];

test('21.1.1 bad lines of every kind are refused at their numbers, and the good ones between them are moved', async () => {
  const supplier = await service.createSupplier();
  // Two parts, packed differently, with blank lines and both line ends; a bad line after every third good one.
  const partOf = (from: number, lineEnd: string) => {
    const lines = Array.from({ length: 150 }, (_, index) => {
      const number = from + index;
      const [bad] = BAD[Math.floor(number / 3) % BAD.length] ?? [];
      if (number % 11 === 0) return Buffer.from(number % 2 === 0 ? '' : ' \t');
      return number % 3 === 2 && bad !== undefined ? bad : Buffer.from(goodLine(supplier, number));
    });
    return Buffer.concat(lines.flatMap((line) => [line, Buffer.from(lineEnd)]));
  };
  const { results, failed } = await move(supplier, [gzipSync(partOf(1, '\n')), zstdCompressSync(partOf(151, '\r\n'))]);

  const all = Array.from({ length: 300 }, (_, index) => index + 1).filter((number) => number % 11 !== 0);
  expect(results.map(({ line }) => line)).toEqual(all);
  const isBad = (number: number) => number % 3 === 2;
  for (const { line, outcome, external_account_number, code } of results) {
    const [, expected] = isBad(line) ? (BAD[Math.floor(line / 3) % BAD.length] ?? []) : [];
    expect([line, outcome, external_account_number, code]).toEqual(
      isBad(line) ? [line, 'refused', null, expected] : [line, 'created', numberOf(line), undefined],
    );
  }
  expect(failed.map(({ line }) => line)).toEqual(all.filter(isBad));
  for (const { line, code, data } of failed) {
    const [, expected, given] = BAD[Math.floor(line / 3) % BAD.length] ?? [];
    expect(code).toBe(expected);
    if (given !== undefined) expect(data).toEqual(given);
  }
  expect(await storedNumbers(supplier)).toEqual(all.filter((number) => !isBad(number)).map(numberOf));
});

test('21.1.6 a file of failed rows is a book: what was corrected is moved, the rest comes back as it was', async () => {
  const supplier = await service.createSupplier();
  const faulty = [1, 2, 3].map((index) => goodLine(supplier, index).replace('true', '"yes"'));
  const lines = [...faulty, goodLine(supplier, 4), '{"no":"JSON'];
  const first = await move(supplier, [Buffer.from(`${lines.join('\n')}\n`)]);
  expect(first.failed.map(({ line, code }) => [line, code])).toEqual([
    ...[1, 2, 3].map((line) => [line, 'account_failed_validation']),
    [5, 'invalid_json'],
  ]);
  expect(await storedNumbers(supplier)).toEqual([numberOf(4)]);

  const [one = '', ...rest] = first.failedRows.split('\n');
  const corrected = [one.replace('"unknown_occupier":"yes"', '"unknown_occupier":true'), ...rest].join('\n');
  const second = await move(supplier, [gzipSync(corrected)]);
  expect(second.results.map(({ line, outcome }) => [line, outcome])).toEqual([
    [1, 'created'],
    ...[2, 3, 4].map((line) => [line, 'refused']),
  ]);
  // Nothing is wrapped twice, and what was not corrected is refused as before.
  const renumbered = first.failed.slice(1).map((row, index) => ({ ...row, line: index + 2 }));
  expect(second.failed).toEqual(renumbered);
  expect(await storedNumbers(supplier)).toEqual([numberOf(1), numberOf(4)]);
});

/** A cohort as it is when it was started. */
async function startCohort({ code, organisationId, teamName }: TestSupplier): Promise<string> {
  const id = randomUUID();
  const options = { operations_team_name: teamName, parallelism: 2, accounts_per_second: null, max_refused: null };
  await service.database.pool.query(
    `INSERT INTO bulk_jobs (id, import_supplier_code, kind, options, selection, state, run, run_mode, created_by,
       run_by, created_at, started_at)
     SELECT $1, $2, 'PROCESS', $3, '{}', 'PLANNING', 1, 'REAL', id, id, now(), now()
     FROM api_keys WHERE organisation_id = $4 LIMIT 1`,
    [id, code, JSON.stringify({ ...options, max_refused_ratio: null }), organisationId],
  );
  return id;
}

async function stateOf(id: string): Promise<string> {
  const { rows } = await service.database.pool.query('SELECT state FROM bulk_jobs WHERE id = $1', [id]);
  return rows[0].state;
}

test('21.11.1 an instance works on bulk jobs in a thread of its own, and counts what it does', async () => {
  const supplier = await service.createSupplier();
  const numbers = [await supplier.stage(), await supplier.stage(), await supplier.stage()];
  const id = await startCohort(supplier);
  await until(async () => (await stateOf(id)) === 'FINISHED');
  for (const external_account_number of numbers) {
    const { body } = await supplier.get(`account-transfer-status/${supplier.code}/${external_account_number}/`);
    expect(body).toMatchObject({ status: 'COMPLETED' });
  }
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/causeway_bulk_lines_total\{run_mode="REAL",outcome="created"\} [1-9]/);
});
