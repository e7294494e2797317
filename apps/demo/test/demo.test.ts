import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@causeway/client';
import { obtainTokens } from '@causeway/rest-client/portable';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDemoRunner, type DemoRunner, outputOf } from './support/demo-runner.ts';

const ACCOUNTS = 12;
const AS_PLANTED = '✓ Only what was refused differs, and what was planted: a penny too much, and a forgotten account.';

/** Runs it to its end, and returns its output. */
async function runToEnd(runner: DemoRunner, ...options: string[]): Promise<string> {
  const demo = runner.start({}, '--exit', ...options);
  const output = await outputOf(demo);
  expect(output).toContain(AS_PLANTED);
  expect(demo.exitCode).toBe(0);
  return output;
}

describe('the demo with --bulk, as it is run', () => {
  let first: string;
  let second: string;
  beforeAll(async () => {
    const runner = await createDemoRunner(ACCOUNTS);
    try {
      first = await runToEnd(runner, '--bulk');
      second = await runToEnd(runner, '--bulk');
    } finally {
      await runner.close();
    }
  });

  it('18.9 moves the book by one upload, and shows its counts, its sums and what was refused', () => {
    expect(first).toMatch(/^\$ causeway upload book\.ndjson --supplier HARBOUR-VALE-BULK .*--start --watch/m);
    expect(first).toMatch(/^ {2}created +9\n {2}refused +3$/m);
    expect(first).toMatch(/^ {2}transactions, PAYMENT +\d+ +[\d,.]+$/m);
    for (const reason of ['invalid_phone_number', 'account_import_process_skipped', 'payment_vendor_rejected']) {
      expect(first).toMatch(new RegExp(`^ {2}1 {2}${reason}`, 'm'));
    }
  });

  it('18.9 changes nothing when it is run again', () => {
    expect(second).toMatch(/^ {2}unchanged +9\n {2}refused +3$/m);
    expect(second).not.toMatch(/^ {2}created/m);
  });
});

describe('the demo, as it is run', () => {
  let runner: DemoRunner;
  let first: string;
  let serving: ChildProcess;
  let second: string;
  beforeAll(async () => {
    runner = await createDemoRunner(ACCOUNTS);
    first = await runToEnd(runner);
    serving = runner.start();
    second = await outputOf(serving, 'Serving until Ctrl-C');
    expect(second).toContain(AS_PLANTED);
  });
  afterAll(() => runner.close());

  it('18.1 moves the book with the command line, and shows what is typed, without the log', () => {
    const typed = first.match(/^\$ causeway .*$/gm)?.map((line) => line.split(' --')[0]);
    expect(typed).toEqual([
      '$ causeway sample',
      '$ causeway manifest lodge manifest.ndjson',
      '$ causeway move book.ndjson',
      '$ causeway reconcile',
    ]);
    expect(first).not.toContain('{"level"');
  });

  it('18.2 18.8 stores the money, of accounts with their history in one call too, and says what was refused', () => {
    expect(first).toContain('created 9   refused 3');
    const [, sent, stored] = /transactions ([\d,.]+) sent = ([\d,.]+) stored/.exec(first) ?? [];
    expect(sent).toBeDefined();
    expect(stored).toBe(sent);
    for (const reason of ['invalid_phone_number', 'account_import_process_skipped', 'payment_vendor_rejected']) {
      expect(first).toMatch(new RegExp(`^ +1 {2}${reason} `, 'm'));
    }
  });

  it('18.3 doubles nothing when it is run again', () => {
    expect(second).toContain('unchanged 9   refused 3');
    const totals = (output: string) => output.match(/^ {2}(?:accounts|notes|statements|transactions)\S* .*$/gm);
    expect(totals(second)).toEqual(totals(first));
    expect(second).not.toContain('Changed since an earlier run');
  });

  it('18.10 compares with the manifest of the book, and shows what was planted and refused', () => {
    expect(first).toContain('accounts: 11 in the manifest, 10 created, 9 both');
    expect(first).toMatch(/HV-390001 {2}transfer_balance +36\.11 {2}-> {2}36\.10/);
    expect(first).toMatch(/^EXTRA {2}1 account.*\n {2}HV-390002$/m);
    expect(first).toMatch(/^MISSING {2}1 account.*\n {2}HV-400117 {2}invalid_phone_number/m);
    expect(first).toMatch(/^SKIPPED {2}1 account/m);
    expect(second).toContain('manifest.ndjson is lodged already');
    expect(second).toContain('accounts: 11 in the manifest, 10 created, 9 both');
  });

  it('18.3 18.5 18.11 18.12 prints lines and a link that work as they stand, and shows what they changed', async () => {
    const [pasted = ''] = /^TOKEN=.*?\n(?=\n)/ms.exec(second) ?? [];
    expect(pasted.match(/^(TOKEN=|curl )/gm)).toHaveLength(6);
    expect(pasted.split('\n').filter((line) => line.length > 100)).toEqual([]);
    const script = `${pasted.replaceAll(/^curl /gm, 'echo; curl -sS ')}\necho`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    expect(stdout).toContain('"status":"COMPLETED"');
    expect(stdout).toContain('"figures":{"transactions":{"count":');
    expect(stdout.match(/"service_account_number":"A-\w+","account_created_at":"2/g)).toHaveLength(3);
    expect(stdout).toContain('"status":"NOTE_CREATION_SUCCESS"');
    expect(stdout).toContain('"code":"invalid_phone_number"');

    const [commands = ''] = /^curl -sfO .*?\n(?=\n)/ms.exec(second) ?? [];
    const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` };
    const cwd = await mkdtemp(path.join(tmpdir(), 'causeway-visitor-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    expect((await promisify(execFile)('sh', ['-c', commands], { cwd, env })).stdout).toContain('HARBOUR-VALE');

    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(second) ?? [];
    for (const page of ['docs', 'openapi.json', 'metrics', 'healthz']) {
      expect([page, (await fetch(`${url}/${page}`)).status]).toEqual([page, 200]);
    }
    // The console's own tests open such a link.
    const [, refreshToken = ''] = /\/console\/#refresh=(\S+)/.exec(second) ?? [];
    expect(await obtainTokens(url, { refreshToken })).toHaveProperty('token');

    const named = /supplier's API key {3}(\S+)\n.* (\S+)\n.*team {6}(.+)\n.*in (\S+)/.exec(second) ?? [];
    const [, supplierKey = '', importSupplier = '', team = '', staffKeyFile = ''] = named;
    const supplier = createClient({ url, apiKey: supplierKey });
    expect(await supplier.dataImport.listAccountImports.query({ import_supplier_code: importSupplier })).not.toEqual(
      [],
    );
    const staff = createClient({ url, apiKey: await readFile(staffKeyFile, 'utf8') });
    expect(await staff.operationsTeams.list.query({})).toMatchObject([{ name: team }]);

    // What the first run sent is gone with its mail server.
    const [, mailbox = ''] = /(http:\S+) +the e-mails that customers got/.exec(second) ?? [];
    const imported = await supplier.dataImport.listImportedAccounts.query({ import_supplier_code: importSupplier });
    const emailsOf = ({ external_account_number }: { external_account_number: string }) =>
      staff.customerEmails.list.query({ code: importSupplier, external_account_number });
    const emails = (await Promise.all(imported.map(emailsOf))).flat();
    const sent = emails.find(({ state }) => state === 'SENT');
    if (sent !== undefined) await staff.customerEmails.sendAgain.mutate({ id: sent.id });
    const page = async (path: string) => (await fetch(`${mailbox}${path}`)).text();
    await vi.waitUntil(async () => (await page('')).includes('href="/0"'), { timeout: 60_000, interval: 100 });
    expect(await page('0')).toContain('Your account has moved');

    const ended = outputOf(serving);
    // Twice, as it comes from a terminal and from pnpm.
    serving.kill('SIGINT');
    serving.kill('SIGINT');
    await ended;
    expect(serving.exitCode).toBe(0);

    // The note that was pasted above is nobody's fault.
    const again = runner.start();
    const later = await outputOf(again, 'Serving until Ctrl-C');
    expect(later).toMatch(/Changed since an earlier run, and not counted:\n {4}HV-\d+ DIFFERENT notes: 2 -> 3\n/);
    expect(later).toContain(AS_PLANTED);

    const hungUp = outputOf(again);
    again.kill('SIGHUP');
    await hungUp;
    expect(again.exitCode).toBe(0);
    expect(runner.isDatabaseRunning()).toBe(false);
  });
});
