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
  service = await startTestService();
  supplier = await service.createSupplier({ code: 'NORTHWIND-2026' });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** The samples of the guide's chapter, as somebody pastes them one after the other. */
async function samples(): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const [, chapter = ''] = guide.split(/^## Prove what arrived$/m);
  const [text = ''] = chapter.split(/^## /m);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, sample]) => sample).join('\n');
}

/** What a script writes; rejects with it if the script ends with an error. */
function run(script: string): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, BASE_URL: service.url, TOKEN: supplier.token };
  return promisify(execFile)('bash', ['-eu', '-c', script], { cwd: folder, env });
}

const lastManifest = async () => (await supplier.get('manifests/?import_supplier=NORTHWIND-2026')).body.at(-1);

test('22.3.3 the samples of the guide lodge a manifest, and compute its digest, with split and curl alone', async () => {
  const { stdout } = await run(await samples());
  const manifest = await lastManifest();
  expect(manifest).toMatchObject({ state: 'SEALED', lodged_before_load: true, totals: { accounts: 3 } });
  expect(stdout).toContain(`The digest is ${manifest.digest}.`);
});

test('22.3.1 the samples of the guide end with the answer where the manifest contradicts itself', async () => {
  const script = (await samples()).replace('"transactions_sum": "104.88"', '"transactions_sum": "104.89"');
  const stdout = expect.stringContaining('The total is 104.89, and the lines add up to 104.88.');
  await expect(run(script)).rejects.toMatchObject({ stdout });
  expect(await lastManifest()).toMatchObject({ state: 'OPEN' });
});
