import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

const GUIDE = path.resolve(import.meta.dirname, '../../src/openapi/guide.md');

let service: TestService;
let supplier: TestSupplier;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'causeway-guide-'));
  service = await startTestService({ BULK_LANES: '2' });
  supplier = await service.createSupplier({ code: 'NORTHWIND-2026' });
  await service.staff.operationsTeams.create.mutate({ name: 'Migration support' });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** The samples of the guide's chapter, as somebody pastes them one after the other. */
async function samples(): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const [, chapter = ''] = guide.split(/^## A whole book$/m);
  const [text = ''] = chapter.split(/^## /m);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, sample]) => sample).join('\n');
}

/** What a script writes; rejects with it if the script ends with an error. */
function run(script: string): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, BASE_URL: service.url, TOKEN: supplier.token };
  return promisify(execFile)('bash', ['-eu', '-c', script], { cwd: folder, env });
}

async function lastJob() {
  const jobs = (await supplier.get('bulk-jobs/?import_supplier=NORTHWIND-2026')).body;
  return jobs.at(-1);
}

test('21.3.3 the samples of the guide rehearse a book and move it, with split and curl alone', async () => {
  const { stdout } = await run(await samples());
  expect(stdout).toContain('"outcome":"created"');
  const job = await lastJob();
  const { body } = await supplier.get(`bulk-jobs/${job.id}/`);
  expect(body).toMatchObject({ state: 'FINISHED', run: 2, run_mode: 'REAL', lines: 3 });
  expect(body.counts).toMatchObject({ created: 2, refused: 1, waiting: 0 });
  expect(body.report.counts).toMatchObject({ created: 2, refused: 1 });
  expect(body.sums).toMatchObject({ notes: 1, customers: 2, account_types: { DOMESTIC: 2 } });
  expect(JSON.parse(await readFile(path.join(folder, 'failed.ndjson'), 'utf8'))).toMatchObject({
    line: 3,
    code: 'account_failed_validation',
    data: { account: { external_account_number: 'NW-0002003' } },
  });
  const status = await supplier.get('account-transfer-status/NORTHWIND-2026/NW-0002001/');
  expect(status.body).toMatchObject({ status: 'COMPLETED' });
});

test('21.3.4 the samples of the guide notice that the last part was not uploaded', async () => {
  const script = (await samples())
    .replace('split -l 5000', 'split -l 1')
    .replace('for PART in part-*.gz', 'for PART in part-0000[12].gz');
  const stdout = expect.stringContaining('"code":"bulk_parts_missing"');
  await expect(run(script)).rejects.toMatchObject({ stdout });
  expect(await lastJob()).toMatchObject({ state: 'OPEN', run: 0 });
});

test('21.3.9 the samples of the guide end with an error when somebody cancels the job', async () => {
  const cancel =
    'curl -sS -X POST "$BASE_URL/v1/data-import/bulk-jobs/$JOB/cancel/" -H "Authorization: Token $TOKEN" ' +
    "-H 'Content-Type: application/json' -d '{}'\n";
  const script = (await samples()).replace(/^start_job REAL\n/m, cancel);
  const stderr = expect.stringContaining('"state":"CANCELLED"');
  await expect(run(script)).rejects.toMatchObject({ code: 1, stderr });
});

test('21.3.3 the samples of the guide end with the answer where the token is not accepted', async () => {
  const stderr = expect.stringMatching(/"code":"authentication_failed"[\s\S]*JOB: was not created/);
  await expect(run(`TOKEN=expired\n${await samples()}`)).rejects.toMatchObject({ stderr });
});
