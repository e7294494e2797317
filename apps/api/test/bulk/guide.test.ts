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

test('21.3.3 the samples of the guide rehearse a book and move it, with split and curl alone', async () => {
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', await samples()], {
    cwd: folder,
    env: { ...process.env, BASE_URL: service.url, TOKEN: supplier.token },
  });
  expect(stdout).toContain('"outcome":"created"');
  const [job] = (await supplier.get('bulk-jobs/?import_supplier=NORTHWIND-2026')).body;
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
