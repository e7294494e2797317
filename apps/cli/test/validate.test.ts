import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { decimalOf, penceOf, type SampleAccount, sampleBook, sampleLine, sumOf } from '@causeway/realistic-books';
import { createRestClient } from '@causeway/rest-client';
import { describe, expect, it } from 'vitest';
import { lineOf } from './support/book-of.ts';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { createSupplier, type TestSupplier } from './support/supplier.ts';

const SUPPLIER = 'HARBOUR-VALE';
const TODAY = ['--today', '2026-11-20'];
const SHARED = 'meter_point_in_two_accounts';

function sample(accounts: number, { isPlain = true, importSupplier = SUPPLIER } = {}): SampleAccount[] {
  return sampleBook({ seed: 'validate', importSupplier, bookDate: '2026-11-20', accounts, isPlain });
}

const textOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const directory = await temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(directory, name), bytes);
  return directory;
}

async function jsonLinesOf(file: string) {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** What the service answers to the accounts, in their order. */
async function answersOf({ url, apiKey }: TestSupplier, accounts: readonly SampleAccount[]) {
  const client = createRestClient({ url, apiKey });
  const answers = [];
  for (const { payload } of accounts) {
    const { status, body } = await client.post('validate-account/', payload);
    const { code, detail, errors } = body as Record<string, unknown>;
    answers.push(status === 200 ? 'accepted' : { code, detail, errors });
  }
  return answers;
}

describe('a validation', () => {
  it('25.3.1 answers what the service answers, by the settings of the import supplier', async () => {
    const supplier = await createSupplier({ country: 'AU', undocumented_fields: 'REJECT' });
    const accounts = sample(24, { isPlain: false, importSupplier: supplier.code });
    const lines = accounts.map(({ payload }) => ({ account: { ...payload, Shoe_Size: 44 } }));
    const directory = await folderWith({ book: textOf(lines) });
    const command = ['validate', 'book', '--like-supplier', supplier.code];
    const { code, stdout } = await causeway(command, { directory, variables: supplier.variables });
    expect(code).toBe(3);
    const summary = JSON.parse(await readFile(path.join(directory, 'book.validated/summary.json'), 'utf8'));
    expect(summary.settings).toMatchObject({ supplier: supplier.code, country: 'AU', undocumented_fields: 'REJECT' });
    const results = await jsonLinesOf(path.join(directory, 'book.validated/results.ndjson'));
    const found = results.map(({ code: own, detail, errors }) => ({ code: own, detail, errors }));
    const sent = accounts.map((account, index) => ({ ...account, payload: lines[index]?.account ?? {} }));
    expect(found).toEqual(await answersOf(supplier, sent));
    const next = `causeway validate book.validated/failed.ndjson --like-supplier ${supplier.code}`;
    expect(stdout).toContain(next);
  });

  it('25.3.2 tells problems by field with samples, and its failed rows are a book with the same problems', async () => {
    const accounts = sample(20);
    const spoilt = accounts.map(({ payload }, index) => ({
      account: index % 4 === 0 ? { ...payload, customers: [{ given_name: 'A', landline: '0' }] } : payload,
    }));
    const directory = await folderWith({ book: textOf(spoilt) });
    const first = await causeway(['validate', 'book', ...TODAY], { directory });
    expect(first).toMatchObject({ code: 3, stdout: expect.stringContaining('15 accepted, 5 refused') });
    const samples = [0, 4, 8].map((index) => accounts[index]?.externalAccountNumber);
    expect(first.stdout).toMatch(
      new RegExp(`5  invalid_phone_number  customers\\.\\*\\.landline\n +For example ${samples.join(', ')}`),
    );
    const next = `causeway validate book.validated/failed.ndjson --supplier ${SUPPLIER} --country GB`;
    expect(first.stdout).toContain(next);

    const report = path.join(directory, 'book.validated');
    expect((await readdir(report)).sort()).toEqual(['failed.ndjson', 'results.ndjson', 'summary.json']);
    const rows = await jsonLinesOf(path.join(report, 'failed.ndjson'));
    expect(rows.map(({ line, data }) => [line, data])).toEqual([0, 4, 8, 12, 16].map((at) => [at + 1, spoilt[at]]));

    // The report may take the place of the book that it is about.
    const again = ['validate', 'book.validated/failed.ndjson', '--report', 'book.validated', '--json', ...TODAY];
    const second = (await causeway(again, { directory })).json();
    expect(second).toMatchObject({ lines: 5, refused: 5, problems: [{ accounts: 5, samples }] });
    const same = await jsonLinesOf(path.join(report, 'failed.ndjson'));
    expect(same.map(({ errors, data }) => [errors, data])).toEqual(rows.map(({ errors, data }) => [errors, data]));
  });

  it('25.3.3 refuses a line whose account an earlier line names, in whichever file, and does not count its money', async () => {
    // More than a batch of lines.
    const accounts = Array.from({ length: 260 }, (_, index) => lineOf(SUPPLIER, `D-${index}`));
    const lines = textOf(accounts);
    const directory = await folderWith({ 'a.ndjson': lines, 'b.gz': gzipSync(lines) });
    const words = ['validate', 'a.ndjson', 'b.gz', '--report', 'both', '--json'];
    const found = (await causeway(words, { directory })).json();
    expect(found).toMatchObject({ lines: 520, refused: 260 });
    expect(found.accepted_sums).toMatchObject({
      'transactions CHARGE': { count: 260, amount: decimalOf(260 * 7_654) },
      statements: { count: 260, amount: decimalOf(260 * 11_207) },
    });
    const refused = found.problems.filter((problem: { refused: boolean }) => problem.refused);
    expect(refused).toMatchObject([{ code: 'duplicate_in_file', accounts: 260 }]);
    const results = await jsonLinesOf(path.join(directory, 'both/results.ndjson'));
    const twice = results.filter(({ outcome }) => outcome === 'refused');
    expect(twice.map(({ file, line }) => [file, line])).toEqual(accounts.map((_, index) => ['b.gz', index + 1]));
  });

  it('25.3.2 tells the place of each remark in its line, and how many lines have it by service', async () => {
    const pointOf = (identifier: string, supply_type: string) => ({
      ...{ identifier, supply_type, supply_start_date: '2015-01-01' },
    });
    const address = {
      ...{ supply_address1: '12 Alder Row', supply_postcode: 'LS1 4AP' },
      customer_at_supply_address_from_date: '2019-04-01',
    };
    const account = (number: string, ...points: object[]) => ({
      account: {
        ...{ import_supplier: SUPPLIER, external_account_number: number, account_type: 'DOMESTIC' },
        customers: [{ family_name: 'Hartley' }],
        supply_addresses: [address, { ...address, supply_address1: '13 Alder Row', meter_points: points }],
      },
    });
    const right = pointOf('1008234658484', 'ELECTRICITY');
    const lines = [
      account('A-1', right, pointOf('1', 'GAS'), pointOf('2', 'GAS')),
      account('A-2', pointOf('3', 'ELECTRICITY'), pointOf('4', 'GAS')),
    ];
    const directory = await folderWith({ book: textOf(lines) });
    const { stdout } = await causeway(['validate', 'book', ...TODAY], { directory });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '2 unlikely_meter_point supply_addresses.*.meter_points.*.identifier ELECTRICITY 1, GAS 2 For example A-1, A-2',
    );
    const results = await jsonLinesOf(path.join(directory, 'book.validated/results.ndjson'));
    const attrs = results.map(({ warnings }) => warnings.map(({ attr }: { attr: string }) => attr));
    const at = (index: number) => `supply_addresses.1.meter_points.${index}.identifier`;
    expect(attrs).toEqual([
      [at(1), at(2)],
      [at(0), at(1)],
    ]);
  });

  it('25.3.4 adds up what would move, to the penny', async () => {
    const accounts = sample(30);
    const directory = await folderWith({ book: textOf(accounts.map(sampleLine)) });
    const { code, json } = await causeway(['validate', 'book', '--json', ...TODAY], { directory });
    expect(code).toBe(0);
    const statements = accounts.flatMap((account) => account.statements);
    const balances = accounts.map(({ transferBalance }) => penceOf(transferBalance)).filter((pence) => pence < 0);
    expect(json().accepted_sums).toMatchObject({
      accounts: { count: 30 },
      statements: {
        count: statements.length,
        amount: decimalOf(sumOf(statements.map(({ gross_amount }) => Math.round(Number(gross_amount) * 100)))),
      },
      'balances in debit': { count: balances.length, amount: decimalOf(sumOf(balances)) },
      notes: { count: accounts.flatMap(({ notes }) => notes).length },
    });
  });

  it('25.3.5 tells undocumented fields by their own names and never their values, and refuses them only if asked', async () => {
    const lines = sample(3).map(({ payload }) => ({ account: { ...payload, 'Kunden-NR\u007f': 'secret' } }));
    const directory = await folderWith({ book: textOf(lines) });
    const told = await causeway(['validate', 'book', ...TODAY], { directory });
    expect(told).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3  undocumented_field  Kunden-NR\uFFFD\n'),
    });
    const report = path.join(directory, 'book.validated');
    const texts = await Promise.all(
      ['results.ndjson', 'summary.json'].map((name) => readFile(path.join(report, name), 'utf8')),
    );
    expect([told.stdout, ...texts].join()).not.toContain('secret');
    const strict = await causeway(['validate', 'book', '--reject-undocumented-fields', '--json', ...TODAY], {
      directory,
    });
    expect(strict).toMatchObject({ code: 3 });
    expect(strict.json()).toMatchObject({ refused: 3, problems: [{ code: 'undocumented_field', refused: true }] });
  });

  it('25.3.5 ends with the balances of accounts without transactions that nothing checks, as convert says them', async () => {
    const account = (external_account_number: string, fields: object, beside: object = {}) => {
      const own = { import_supplier: SUPPLIER, external_account_number, account_type: 'DOMESTIC' };
      return { account: { ...own, unknown_occupier: true, ...fields }, ...beside };
    };
    const paid = { transaction_id: 'T1', transaction_date: '2026-01-05', type: 'PAYMENT', amount: '48.20' };
    const closed = { last_billed_to_date: '2026-01-31', historical_transactions: [paid] };
    const alone = Array.from({ length: 300 }, (_, index) => account(`N-${index}`, { transfer_balance: '48.20' }));
    const lines = [
      account('C-1', { transfer_balance: '48.20' }, { transactions: [paid] }),
      account('C-2', { transfer_balance: '48.20', last_statement_balance: '48.20' }),
      account('C-3', { transfer_balance: '48.20', ...closed }),
      account('C-4', {}),
      ...alone,
      account('D-1', { transfer_balance: '48.20', last_statement_balance: '40.00' }),
    ];
    const directory = await folderWith({ one: textOf(lines.slice(0, 9)), two: textOf(lines.slice(9)) });
    const words = ['validate', 'one', 'two', '--report', 'both', ...TODAY];
    const { code, stdout } = await causeway(words, { directory });
    expect(code).toBe(0);
    const said = stdout.replaceAll(/\s+/g, ' ');
    expect(said).toContain(
      'transfer_balance: The value has no last_statement_balance beside it: nothing compares it with the transactions. Lodge a manifest, which does. 299 more values like it. For example N-0, N-1, N-2. transfer_balance: The value differs from the last_statement_balance, and no transaction explains it: nothing checks it until transactions come. Send them, or correct it. For example D-1. Next, move it:',
    );
    const { json } = await causeway([...words, '--json'], { directory });
    expect(json().unexplained_balances).toMatchObject([
      { accounts: 300, samples: ['N-0', 'N-1', 'N-2'] },
      { accounts: 1, samples: ['D-1'] },
    ]);
  });

  it('25.3.6 stops at --max-refused, and keeps what it has found', async () => {
    const directory = await folderWith({ book: textOf(Array.from({ length: 300 }, () => ({}))) });
    for (const limit of ['10', '1%']) {
      const { code, json } = await causeway(['validate', 'book', '--supplier', 'X', '--max-refused', limit, '--json'], {
        directory,
      });
      expect(code).toBe(5);
      expect(json()).toMatchObject({ complete: false, refused: expect.any(Number) });
      const rows = await jsonLinesOf(path.join(directory, 'book.validated/failed.ndjson'));
      expect(rows).toHaveLength(json().refused);
    }
  });

  it('25.3.7 leaves an earlier report alone where it fails, and says what cannot be used', async () => {
    const directory = await folderWith({ book: textOf([{ account: {} }]), empty: '\n \n' });
    await mkdir(path.join(directory, 'taken.validated'));
    await writeFile(path.join(directory, 'taken.validated/summary.json'), 'earlier');
    await writeFile(path.join(directory, 'taken'), gzipSync(textOf(sample(50).map(sampleLine))).subarray(0, -9));
    const failing: [string[], string][] = [
      [['empty'], 'There is no line in empty'],
      [['missing'], 'missing cannot be read'],
      [['book'], 'name it with --supplier'],
      [['book', '--supplier', 'X', '--max-refused', 'some'], '--max-refused takes a number'],
      [['book', '--supplier', 'X', '--country', 'Mars'], '--country is a code'],
      [['book', '--supplier', 'X', '--report', 'book'], 'cannot be written to'],
      [['taken', ...TODAY], 'cannot be unpacked as gzip'],
    ];
    for (const [words, sentence] of failing) {
      const ended = await causeway(['validate', ...words], { directory });
      expect(ended).toMatchObject(failure(2, sentence));
    }
    expect(await readdir(path.join(directory, 'taken.validated'))).toEqual(['summary.json']);
    const stop = AbortSignal.abort();
    expect(await causeway(['validate', 'book', '--supplier', 'X'], { directory, stop })).toMatchObject({ code: 130 });
  });

  it('25.3.8 tells the accounts that share a meter point at the same time, each with others, unless it is off', async () => {
    const account = (number: string, identifier: string, since: string, until?: string) => ({
      account: {
        import_supplier: SUPPLIER,
        external_account_number: number,
        account_type: 'DOMESTIC',
        customers: [{ family_name: 'Hartley' }],
        supply_addresses: [
          {
            ...{ supply_address1: '12 Alder Row', supply_postcode: 'LS1 4AP' },
            customer_at_supply_address_from_date: since,
            ...(until !== undefined && { customer_at_supply_address_to_date: until }),
            meter_points: [{ identifier, supply_type: 'GAS', supply_start_date: '2015-01-01' }],
          },
        ],
      },
    });
    const [moved, shared, alone] = ['9306186011', '7611208309', '4003005607'];
    const others = Array.from({ length: 300 }, (_, index) => account(`Z-${index}`, '0', '2020-01-01'));
    const one = [
      account('A-1', shared, '2019-04-01'),
      account('B-1', moved, '2018-01-01', '2021-03-31'),
      account('C-1', alone, '2019-04-01'),
      ...others,
    ];
    const two = [account('A-2', shared, '2020-01-01', '2020-06-30'), account('B-2', moved, '2021-03-31')];
    const directory = await folderWith({
      one: textOf(one),
      two: textOf([...two, account('A-3', shared, '2020-03-01')]),
    });
    const words = ['validate', 'one', 'two', '--report', 'both', '--json', ...TODAY];
    const { code, json } = await causeway([...words, '--suspect-data-by-code', 'unlikely_meter_point=OFF'], {
      directory,
    });
    const attr = 'supply_addresses.*.meter_points.*.identifier';
    expect([code, json().problems]).toMatchObject([
      0,
      [{ code: SHARED, attr, accounts: 303, samples: ['A-1', 'Z-0', 'Z-1'], refused: false }],
    ]);
    const results = await jsonLinesOf(path.join(directory, 'both/results.ndjson'));
    expect(results[0].warnings[0].attr).toBe('supply_addresses.0.meter_points.0.identifier');
    const told = results.map((result) => [
      ...[result.file, result.line, result.external_account_number, result.outcome],
      result.warnings[0].detail.other_accounts,
    ]);
    expect(told).toHaveLength(303);
    expect(told[0]).toEqual(['one', 1, 'A-1', 'accepted', 'A-2']);
    expect(told.slice(-2)).toEqual([
      ['two', 1, 'A-2', 'accepted', 'A-1'],
      ['two', 3, 'A-3', 'accepted', 'A-1'],
    ]);
    const off = await causeway([...words, '--suspect-data', 'OFF'], { directory });
    expect(off.json().problems).toEqual([]);
  });
});
