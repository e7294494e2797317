import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ReconciliationReport } from '@causeway/contracts';
import { afterAll, expect, test } from 'vitest';
import { createJob, fileCall, ndjson, putPart, readJob } from '../bulk/bulk-calls.ts';
import { readManifest } from '../manifests/manifest-calls.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { obtainToken, type TestSupplier, trpcClient, until } from '../support/test-service.ts';
import { lodge, putOffReconciliation, reconcile } from './reconcile.ts';

const GUIDE = path.resolve(import.meta.dirname, '../../src/openapi/guide.md');
const CHAPTER = 'A report that anyone can verify';

const folder = await mkdtemp(path.join(tmpdir(), 'causeway-report-'));
const service = await serviceWithLanes();
const supplier = await service.createSupplier();
afterAll(() => rm(folder, { recursive: true }));

const NEVER = { external_account_number: 'NEVER' };
/** A reconciliation that is DIFFERENT, as it ends. */
const different = () => reconcile(supplier, { lines: [NEVER] });

const readReport = (id: string, from: Pick<TestSupplier, 'url' | 'token'> = supplier) =>
  fileCall(from, `reconciliations/${id}/report/`);

const payloadOf = (jws: string) => JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString());

/** The samples of the guide, as somebody pastes them. */
async function samples(): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const [text = ''] = (guide.split(`## ${CHAPTER}\n`)[1] ?? '').split(/^## /m);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, sample]) => sample).join('\n');
}

async function run(script: string, id: string): Promise<string> {
  const env = { ...process.env, BASE_URL: service.url, TOKEN: supplier.token, RECONCILIATION: id };
  const { stdout } = await promisify(execFile)('bash', ['-eu', '-c', script], { cwd: folder, env });
  return stdout;
}

test('24.4.5 the samples of the guide fetch a report and verify it with Node alone', async () => {
  const { id } = await different();
  const report = JSON.parse(await run(await samples(), id));
  expect(report).toEqual(payloadOf((await readReport(id)).text));
  expect(report).toMatchObject({ verdict: 'DIFFERENT', reconciliation: { id }, signed_off: null });
});

test('24.4.5 a report that was changed, or signed by somebody else, does not verify', async () => {
  const script = await samples();
  const { id } = await different();
  await run(script, id);
  const jws = await readFile(path.join(folder, 'report.jws'), 'utf8');
  const [header, , signature] = jws.split('.');
  const forged = Buffer.from(JSON.stringify({ ...payloadOf(jws), verdict: 'EQUAL' })).toString('base64url');
  await writeFile(path.join(folder, 'report.jws'), `${header}.${forged}.${signature}`);
  await expect(run('node verify.mjs', id)).rejects.toThrow('The signature is wrong.');
  // The bits that the last character of a signature leaves unused.
  const spare = jws.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
  for (const respelled of [spare, `${jws}.extra`, jws.replace(/.{9}$/, '!$&'), `${header}.${forged}`]) {
    await writeFile(path.join(folder, 'report.jws'), respelled);
    await expect(run('node verify.mjs', id)).rejects.toThrow('This is no report, or it was changed.');
  }
  const other = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'another' })).toString('base64url');
  await writeFile(path.join(folder, 'report.jws'), jws.replace(/^[^.]*/, other));
  await expect(run('node verify.mjs', id)).rejects.toThrow('not signed with one of these keys');
});

test('24.4.2 24.4.6 a report has the verdict, the totals line by line, the digests, and who and when; and no account', async () => {
  const { externalAccountNumber: number } = await supplier.importAccount({ transfer_balance: '-48.20' });
  const transfer_balance = '-48.21';
  const { id, manifest_id, created_at, finished_at, differences_digest } = await reconcile(supplier, {
    lines: [{ external_account_number: number, transfer_balance, transactions: 0 }],
    totals: { transfer_balance },
  });
  const { digest } = await readManifest(supplier, manifest_id);
  const { status, headers, text } = await readReport(id);
  expect([status, headers.get('content-type')]).toEqual([200, 'application/jose']);
  const [payload = ''] = text.split('.').slice(1);
  const canonical = Buffer.from(payload, 'base64url').toString();
  const report = JSON.parse(canonical);
  expect(ReconciliationReport.parse(report)).toEqual(report);
  expect(Object.keys(report)).toEqual(Object.keys(report).sort());
  expect(report).toMatchObject({
    import_supplier: { code: supplier.code },
    verdict: 'DIFFERENT',
    covered: { accounts: { expected: 1, created: 1, both: 1 }, figures: { notes: { claimed: 0, unclaimed: 1 } } },
    manifest: { source_system: 'Harbour billing', digest, lodged_before_load: false, sealed_by: 'supplier' },
    reconciliation: { id, created_by: 'supplier', person: null, created_at, finished_at },
    totals: [
      { figure: 'accounts', expected: '1', actual: '1', difference: '0' },
      { figure: 'transactions', expected: '0', actual: '0', difference: '0' },
      { figure: 'transfer_balance', expected: '-48.21', actual: '-48.20', difference: '0.01' },
    ],
    accounts: { missing: 0, extra: 0, not_created: 0, skipped: 0, different: 1 },
    differences: { count: 1, digest: differences_digest },
    bulk_jobs: [],
  });
});

test('24.4.2 a report lists each bulk job as it was when the reconciliation ended', async () => {
  const own = await service.createSupplier();
  const run = async (id: string, run_mode: 'REHEARSAL' | 'REAL') => {
    expect((await own.post(`bulk-jobs/${id}/start/`, { run_mode })).status).toBe(200);
    await until(async () => ['REHEARSED', 'FINISHED'].includes((await readJob(own, id)).state));
  };
  const jobs: string[] = [];
  for (const number of ['A-1', 'A-2', 'A-3']) {
    const id = await createJob(own);
    await putPart(own, { id }, ndjson([{ account: own.account({ external_account_number: number }) }]));
    jobs.push(id);
  }
  const [done = '', rehearsed = '', later = ''] = jobs;
  await run(done, 'REAL');
  await run(rehearsed, 'REHEARSAL');
  const { id } = await reconcile(own, { lines: [NEVER] });
  await run(rehearsed, 'REHEARSAL');
  await run(rehearsed, 'REAL');
  await run(later, 'REAL');
  expect(payloadOf((await readReport(id, own)).text).bulk_jobs).toEqual([
    { id: done, kind: 'MOVE', rehearsed: false, done: true },
    { id: rehearsed, kind: 'MOVE', rehearsed: true, done: false },
  ]);
});

test('24.4.3 a report is the same for everybody and each time, until it is signed off', async () => {
  const { id } = await different();
  const staffToken = await obtainToken(service.url, service.staffApiKey);
  const asked = Array.from({ length: 8 }, (_, index) =>
    readReport(id, { url: supplier.url, token: index % 2 === 0 ? supplier.token : staffToken }),
  );
  const texts = new Set((await Promise.all(asked)).map(({ text }) => text));
  expect(texts.size).toBe(1);
  service.setTime('2027-01-01T00:00:00Z');
  const { api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Cutover', person: 'Priya Raman' });
  const priya = trpcClient(service.url, await obtainToken(service.url, api_key));
  const { signed_off } = await priya.reconciliations.signOff.mutate({ id, note: 'One penny' });
  service.setTime(undefined);
  const { text } = await readReport(id);
  ReconciliationReport.parse(payloadOf(text));
  expect(texts).not.toContain(text);
  expect(payloadOf(text).signed_off).toEqual(signed_off);
  expect((await readReport(id)).text).toBe(text);
});

test('24.4.1 another organisation’s report does not exist; one of what is running is not there yet', async () => {
  const { id } = await different();
  const foreign = await service.createSupplier();
  const answers = [await readReport(id, foreign), await readReport(randomUUID(), foreign), await readReport('x')];
  const detail = 'There is no reconciliation with this id.';
  for (const { status, body } of answers) {
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'reconciliation_does_not_exist', detail });
  }
  const running = await putOffReconciliation(service.database, await lodge(supplier, { lines: [NEVER] }));
  const { status, body } = await readReport(running);
  expect([status, body.code]).toEqual([409, 'reconciliation_state_not_allowed']);
});

test('24.4.4 the public keys are those of every secret, and a report of the old one verifies with the new one', async () => {
  const { id } = await different();
  const { text } = await readReport(id);
  const instance = await service.startInstance({ TOKEN_SECRET: 'another secret, of more than 32 characters' });
  const response = await fetch(`${instance.url}/.well-known/jwks.json`);
  expect(response.headers.get('content-type')).toBe('application/jwk-set+json');
  const set = (await response.json()) as { keys: Record<string, string>[] };
  const kids = set.keys.map(({ kid }) => kid);
  expect(kids).toHaveLength(2);
  expect(kids).toContain(JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()).kid);
  expect(set.keys[0]).toEqual({
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    kid: kids[0],
    x: expect.stringMatching(/^[\w-]{43}$/),
  });
  await writeFile(path.join(folder, 'report.jws'), text);
  await writeFile(path.join(folder, 'jwks.json'), JSON.stringify(set));
  const script = /cat > verify\.mjs[\s\S]*?^SCRIPT$/m.exec(await samples())?.[0] ?? '';
  expect(JSON.parse(await run(`${script}\nnode verify.mjs`, id)).reconciliation.id).toBe(id);
  const refused = await fetch(`${instance.url}/.well-known/jwks.json`, { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
