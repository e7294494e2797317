import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@causeway/client';
import { obtainTokens } from '@causeway/rest-client/portable';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDemoRunner, type DemoRunner, outputOf } from './support/demo-runner.ts';

const ACCOUNTS = 12;
const REFUSED = 3;

let runner: DemoRunner;
beforeAll(async () => {
  runner = await createDemoRunner(ACCOUNTS);
});
afterAll(() => runner.close());

async function runToTheEnd(): Promise<string> {
  const demo = runner.start({}, '--exit');
  const output = await outputOf(demo);
  expect(output).toContain('It adds up');
  expect(demo.exitCode).toBe(0);
  return output;
}

/** The numbers of the summary's row with this label. */
function numbersOf(output: string, label: string): number[] {
  const row = output.split('\n').find((line) => line.trim().startsWith(`${label}  `)) ?? '';
  return (row.slice(row.indexOf(label) + label.length).match(/\d[\d,]*/g) ?? []).map((text) => {
    return Number(text.replaceAll(',', ''));
  });
}

const COUNTED = ['Accounts', 'Notes', 'Transactions', 'Statements', 'Payment instructions'];
const MONEY = [
  'SUPPLY_CHARGE',
  'CHARGE',
  'PAYMENT',
  'CREDIT',
  'Historical statements',
  'Balances carried over',
  'Together',
];

/** The two sums of a row of money, as they are written. */
function sumsOf(output: string, label: string): string[] {
  const row = output.split('\n').find((line) => line.trim().startsWith(`${label}  `)) ?? '';
  return row.match(/-?£[\d,]+\.\d\d/g) ?? [];
}

describe('the demo on a busy machine', () => {
  it('18.1 waits while its service takes no more calls, and says so', async () => {
    const busy = await createDemoRunner(ACCOUNTS);
    onTestFinished(() => busy.close());
    const demo = busy.start({ MAX_REQUESTS_AT_WORK: '4' }, '--exit');
    const output = await outputOf(demo);
    expect(output).toContain('The service is busy');
    expect(output).toContain('It adds up');
    expect(demo.exitCode).toBe(0);
  });
});

describe('the demo, as it is run', () => {
  let first: string;
  let second: string;
  beforeAll(async () => {
    first = await runToTheEnd();
    second = await runToTheEnd();
  });

  it('18.2 has in the book what was refused and what is stored', () => {
    expect(numbersOf(first, 'Accounts')).toEqual([ACCOUNTS, REFUSED, ACCOUNTS - REFUSED, ACCOUNTS - REFUSED]);
    for (const label of COUNTED) {
      const [inBook = 0, refused = 0, stored = 0, added = 0] = numbersOf(first, label);
      expect([label, inBook]).toEqual([label, refused + stored]);
      expect([label, added]).toEqual([label, stored]);
      expect(stored).toBeGreaterThan(0);
    }
  });

  it('18.2 stores the money that came in', () => {
    for (const label of MONEY) {
      const [sent, stored] = sumsOf(first, label);
      expect(sent).toBeDefined();
      expect([label, stored]).toEqual([label, sent]);
    }
  });

  it('18.2 says what was refused and why', () => {
    for (const code of [
      'invalid_phone_number',
      'account_import_process_skipped',
      'operations_team_name_does_not_exist',
      'TRANSACTION_IMPORT_ERROR',
      'payment_vendor_rejected',
      'payment_vendor_unavailable',
    ]) {
      expect(first).toMatch(new RegExp(`1?\\d .*${code}`));
    }
  });

  it('18.2 lists what is still to fix as the service remembers it, and shows an account as it is stored', () => {
    expect(first).toMatch(/ 1 like HV-\d+ {2}payment_instruction {2}payment_vendor_rejected, reference\n/);
    const [, accountNumber, figures] = /(HV-\d+) as stored .*\n +A-\w{8}, (.*)\n/.exec(first) ?? [];
    expect(accountNumber).toBe('HV-390001');
    expect(figures).toBe('balance £36.10, 6 transactions £413.04, 1 statement £188.47, 2 notes, 1 instruction');
  });

  it('18.8 moves accounts with their history in one call each, and reads them back field by field', () => {
    expect(first).toContain('one of 3 created with their history in one call');
    expect(first).toContain('every penny is there, every field of 3.');
  });

  it('18.3 doubles nothing when it is run again', () => {
    expect(second).toContain(`${ACCOUNTS - REFUSED} accounts were already imported: everything was already there`);
    for (const label of COUNTED) {
      const [inBook, refused, stored] = numbersOf(first, label);
      expect([label, ...numbersOf(second, label)]).toEqual([label, inBook, refused, stored, 0]);
    }
    for (const label of MONEY) expect([label, ...sumsOf(second, label)]).toEqual([label, ...sumsOf(first, label)]);
  });

  it('18.10 compares with the manifest of the book, and shows what was planted and refused', () => {
    expect(first).toContain('Lodged a manifest of what the source has, a line for each of 11 accounts\n');
    expect(first).toContain('compared with what is stored: DIFFERENT\n');
    expect(first).toContain('Of the 11 accounts in its manifest, lodged before the load, 8 were created.');
    const penny = 'transfer_balance: 36.11 in the manifest, 36.10 stored';
    expect(first).toContain(` 4 like HV-390001  DIFFERENT    ${penny}\n`);
    expect(first).toContain(' 1 like HV-390002  EXTRA ');
    for (const kind of ['MISSING', 'NOT_CREATED', 'SKIPPED']) expect(first).toMatch(new RegExp(` 1 like .*${kind}`));
    expect(first).toContain('✓ Only what was refused differs, and what was planted');
  });

  it('18.10 compares with the same manifest when it is run again', () => {
    expect(second).toContain('Its manifest is lodged already');
    expect(second).toContain('lodged before the load, 8 were created.');
    expect(second).toContain('✓ Only what was refused differs, and what was planted');
  });

  it('18.1 fits a screen, without the log', () => {
    const lines = first.split('\n').filter((line) => !line.includes('The service is busy'));
    expect(lines.length).toBeLessThan(56);
    expect(first).not.toContain('{"level"');
  });

  it('18.5 18.11 18.12 prints lines and a link that work as they stand, and ends with Ctrl-C', async () => {
    const demo = runner.start();
    const output = await outputOf(demo, 'Serving until Ctrl-C');
    const [pasted = ''] = /^TOKEN=.*?\n(?=\n)/ms.exec(output) ?? [];
    expect(pasted.match(/^(TOKEN=|curl )/gm)).toHaveLength(7);
    expect(pasted.split('\n').filter((line) => line.length > 100)).toEqual([]);
    const script = `${pasted.replaceAll(/^curl /gm, 'echo; curl -sS ')}\necho`;
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    expect(stdout).toContain('"status":"COMPLETED"');
    expect(stdout).toContain('"figures":{"transactions":{"count":');
    expect(stdout.match(/"service_account_number":"A-\w+","account_created_at":"2/g)).toHaveLength(3);
    expect(stdout).toContain('"status":"NOTE_CREATION_SUCCESS"');
    expect(stdout).toContain('"code":"invalid_phone_number"');
    expect(stdout).toContain('HV-390001,DIFFERENT,transfer_balance,36.11,36.10,');

    const [commands = ''] = /^curl -sfO .*?\n(?=\n)/ms.exec(output) ?? [];
    const env = { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` };
    const cwd = await mkdtemp(path.join(tmpdir(), 'causeway-visitor-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    expect((await promisify(execFile)('sh', ['-c', commands], { cwd, env })).stdout).toContain('HARBOUR-VALE');

    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
    for (const page of ['docs', 'openapi.json', 'metrics', 'healthz']) {
      expect([page, (await fetch(`${url}/${page}`)).status]).toEqual([page, 200]);
    }
    // The console's own tests open such a link.
    const [, refreshToken = ''] = /\/console\/#refresh=(\S+)/.exec(output) ?? [];
    expect(await obtainTokens(url, { refreshToken })).toHaveProperty('token');

    const named = /supplier's API key {3}(\S+)\n.* (\S+)\n.*team {6}(.+)\n.*in (\S+)/.exec(output) ?? [];
    const [, supplierKey = '', importSupplier = '', team = '', staffKeyFile = ''] = named;
    const supplier = createClient({ url, apiKey: supplierKey });
    expect(await supplier.dataImport.listAccountImports.query({ import_supplier_code: importSupplier })).not.toEqual(
      [],
    );
    const staff = createClient({ url, apiKey: await readFile(staffKeyFile, 'utf8') });
    expect(await staff.operationsTeams.list.query({})).toMatchObject([{ name: team }]);

    // What the first run sent is gone with its mail server.
    const [, mailbox = ''] = /(http:\S+) +the e-mails that customers got/.exec(output) ?? [];
    const imported = await supplier.dataImport.listImportedAccounts.query({ import_supplier_code: importSupplier });
    const emailsOf = ({ external_account_number }: { external_account_number: string }) =>
      staff.customerEmails.list.query({ code: importSupplier, external_account_number });
    const emails = (await Promise.all(imported.map(emailsOf))).flat();
    const sent = emails.find(({ state }) => state === 'SENT');
    if (sent !== undefined) await staff.customerEmails.sendAgain.mutate({ id: sent.id });
    const page = async (path: string) => (await fetch(`${mailbox}${path}`)).text();
    await vi.waitUntil(async () => (await page('')).includes('href="/0"'), { timeout: 60_000, interval: 100 });
    expect(await page('0')).toContain('Your account has moved');

    const ended = outputOf(demo);
    // Twice, as it comes from a terminal and from pnpm.
    demo.kill('SIGINT');
    demo.kill('SIGINT');
    await ended;
    expect(demo.exitCode).toBe(0);
  });

  it.each(['SIGHUP'] as const)(
    '18.5 stops its service and the database at %s',
    async (signal) => {
      const demo = runner.start();
      expect(await outputOf(demo, 'Serving until Ctrl-C')).toContain('Serving until');
      const ended = outputOf(demo);
      demo.kill(signal);
      await ended;
      expect(demo.exitCode).toBe(0);
      expect(runner.isDatabaseRunning()).toBe(false);
    },
    120_000,
  );
});
