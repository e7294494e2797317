import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { samplesOf, startGuideReader } from '../support/guide-reader.ts';

const reader = await startGuideReader();

const lastManifest = async () => (await reader.supplier.get('manifests/?import_supplier=NORTHWIND-2026')).body.at(-1);

test('22.3.3 23.5.3 24.4.5 the samples of the guide lodge a manifest, compare it and verify the report', async () => {
  const [lodge = '', compare = ''] = (await samplesOf('Prove what arrived')).split(/^(?=ANSWER=.*reconciliations)/m);
  const [move, verify] = [await samplesOf('A whole book'), await samplesOf('A report that anyone can verify')];
  const { stdout } = await reader.run([lodge, move, compare, verify].join('\n'));
  const manifest = await lastManifest();
  expect(manifest).toMatchObject({ state: 'SEALED', lodged_before_load: true, totals: { accounts: 3 } });
  expect(stdout).toContain(`The digest is ${manifest.digest}.`);

  const [reconciliation] = (await reader.supplier.get('reconciliations/?import_supplier=NORTHWIND-2026')).body;
  expect(reconciliation).toMatchObject({ manifest_id: manifest.id, verdict: 'DIFFERENT' });
  expect(stdout).toContain(`The reconciliation is ${reconciliation.id}.`);
  const difference = {
    external_account_number: 'NW-0002003',
    kind: 'MISSING',
    problem_attr: 'customers.0.family_name',
  };
  const listed = stdout.split('\n').filter((line) => line.startsWith('{"external_account_number":'));
  expect(listed.filter((line) => line.includes('"kind":')).map((line) => JSON.parse(line))).toMatchObject([difference]);
  const csv = await readFile(path.join(reader.folder, 'missing.csv'), 'utf8');
  expect(csv).toMatch(/^external_account_number,kind,.*\nNW-0002003,MISSING,account,COMPLETED,,line,\w+,customers/);

  const report = JSON.parse(stdout.slice(stdout.indexOf('\n{\n')));
  expect(report).toMatchObject({
    verdict: 'DIFFERENT',
    reconciliation: { id: reconciliation.id },
    manifest: { digest: manifest.digest, lodged_before_load: true },
    accounts: { missing: 1, different: 0, extra: 0 },
  });
});

test('22.3.1 the samples of the guide end with the answer where the manifest contradicts itself', async () => {
  const script = (await samplesOf('Prove what arrived')).replace(
    '"transactions_sum": "104.88"',
    '"transactions_sum": "104.89"',
  );
  const stdout = expect.stringContaining('The total is 104.89, and the lines add up to 104.88.');
  await expect(reader.run(script)).rejects.toMatchObject({ stdout });
  expect(await lastManifest()).toMatchObject({ state: 'OPEN' });
});
