import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Event } from '@causeway/contracts';
import { expect, test } from 'vitest';
import { samplesOf, startGuideReader } from '../support/guide-reader.ts';

const reader = await startGuideReader();

async function lastJob() {
  const jobs = (await reader.supplier.get('bulk-jobs/?import_supplier=NORTHWIND-2026')).body;
  return jobs.at(-1);
}

test('21.3.3 the samples of the guide rehearse a book and move it, with split and curl alone', async () => {
  const { stdout } = await reader.run(await samplesOf('A whole book'));
  expect(stdout).toContain('"outcome":"created"');
  const job = await lastJob();
  const { body } = await reader.supplier.get(`bulk-jobs/${job.id}/`);
  expect(body).toMatchObject({ state: 'FINISHED', run: 2, run_mode: 'REAL', lines: 3 });
  expect(body.counts).toMatchObject({ created: 2, refused: 1, waiting: 0 });
  expect(body.report.counts).toMatchObject({ created: 2, refused: 1 });
  expect(body.sums).toMatchObject({ notes: 1, customers: 2, account_types: { DOMESTIC: 2 } });
  expect(JSON.parse(await readFile(path.join(reader.folder, 'failed.ndjson'), 'utf8'))).toMatchObject({
    line: 3,
    code: 'account_failed_validation',
    data: { account: { external_account_number: 'NW-0002003' } },
  });
  const status = await reader.supplier.get('account-transfer-status/NORTHWIND-2026/NW-0002001/');
  expect(status.body).toMatchObject({ status: 'COMPLETED' });
});

test('27.2.1 27.2.2 28.1.1 the samples of the guide read each event once, and create a webhook endpoint', async () => {
  const script = await samplesOf('Events');
  const { events, next } = JSON.parse((await reader.run(script)).stdout);
  expect(events.filter(({ type }: Event) => type === 'account.created')).toHaveLength(2);
  expect(JSON.parse((await reader.run(script)).stdout)).toEqual({ events: [], next, has_more: false });
  await reader.run(await samplesOf('Webhooks'));
  const created = JSON.parse(await readFile(path.join(reader.folder, 'webhook-endpoint.json'), 'utf8'));
  expect(created).toMatchObject({ state: 'ENABLED', secret: expect.stringMatching(/^whsec_/) });
  const [endpoint] = (await reader.supplier.get('webhook-endpoints/')).body;
  expect(endpoint).toMatchObject({ id: created.id, event_types: ['account.created', 'account.refused'] });
});

test('21.3.4 the samples of the guide notice that the last part was not uploaded', async () => {
  const script = (await samplesOf('A whole book'))
    .replace('split -l 5000', 'split -l 1')
    .replace('for PART in part-*.gz', 'for PART in part-0000[12].gz');
  const stdout = expect.stringContaining('"code":"bulk_parts_missing"');
  await expect(reader.run(script)).rejects.toMatchObject({ stdout });
  expect(await lastJob()).toMatchObject({ state: 'OPEN', run: 0 });
});

test('21.3.9 the samples of the guide end with an error when somebody cancels the job', async () => {
  const cancel =
    'curl -sS -X POST "$BASE_URL/v1/data-import/bulk-jobs/$JOB/cancel/" -H "Authorization: Token $TOKEN" ' +
    "-H 'Content-Type: application/json' -d '{}'\n";
  const script = (await samplesOf('A whole book')).replace(/^start_job REAL\n/m, cancel);
  const stderr = expect.stringContaining('"state":"CANCELLED"');
  await expect(reader.run(script)).rejects.toMatchObject({ code: 1, stderr });
});

test('21.3.3 the samples of the guide end with the answer where the token is not accepted', async () => {
  const stderr = expect.stringMatching(/"code":"authentication_failed"[\s\S]*JOB: was not created/);
  await expect(reader.run(`TOKEN=expired\n${await samplesOf('A whole book')}`)).rejects.toMatchObject({ stderr });
});
