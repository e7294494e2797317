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
async function samples(title = 'Prove what arrived'): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const [text = ''] = (guide.split(`\n## ${title}\n`)[1] ?? '').split(/^## /m);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, sample]) => sample).join('\n');
}

/** What a script writes; rejects with it if the script ends with an error. */
function run(script: string): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, BASE_URL: service.url, TOKEN: supplier.token };
  return promisify(execFile)('bash', ['-eu', '-c', script], { cwd: folder, env });
}

const lastManifest = async () => (await supplier.get('manifests/?import_supplier=NORTHWIND-2026')).body.at(-1);

test('22.3.3 23.5.3 24.4.5 the samples of the guide lodge a manifest, compare it and verify the report', async () => {
  const [lodge = '', compare = ''] = (await samples()).split(/^(?=ANSWER=.*reconciliations)/m);
  const [move, verify] = [await samples('A whole book'), await samples('A report that anyone can verify')];
  const { stdout } = await run([lodge, move, compare, verify].join('\n'));
  const manifest = await lastManifest();
  expect(manifest).toMatchObject({ state: 'SEALED', lodged_before_load: true, totals: { accounts: 3 } });
  expect(stdout).toContain(`The digest is ${manifest.digest}.`);

  const [reconciliation] = (await supplier.get('reconciliations/?import_supplier=NORTHWIND-2026')).body;
  expect(reconciliation).toMatchObject({ manifest_id: manifest.id, verdict: 'DIFFERENT' });
  expect(stdout).toContain(`The reconciliation is ${reconciliation.id}.`);
  const difference = {
    external_account_number: 'NW-0002003',
    kind: 'MISSING',
    problem_attr: 'customers.0.family_name',
  };
  const listed = stdout.split('\n').filter((line) => line.startsWith('{"external_account_number":'));
  expect(listed.filter((line) => line.includes('"kind":')).map((line) => JSON.parse(line))).toMatchObject([difference]);
  const csv = await readFile(path.join(folder, 'missing.csv'), 'utf8');
  expect(csv).toMatch(/^external_account_number,kind,.*\nNW-0002003,MISSING,account,COMPLETED,,validate,\w+,customers/);

  const report = JSON.parse(stdout.slice(stdout.indexOf('\n{\n')));
  expect(report).toMatchObject({
    verdict: 'DIFFERENT',
    reconciliation: { id: reconciliation.id },
    manifest: { digest: manifest.digest, lodged_before_load: true },
    accounts: { missing: 1, different: 0, extra: 0 },
  });
});

test('22.3.1 the samples of the guide end with the answer where the manifest contradicts itself', async () => {
  const script = (await samples()).replace('"transactions_sum": "104.88"', '"transactions_sum": "104.89"');
  const stdout = expect.stringContaining('The total is 104.89, and the lines add up to 104.88.');
  await expect(run(script)).rejects.toMatchObject({ stdout });
  expect(await lastManifest()).toMatchObject({ state: 'OPEN' });
});
