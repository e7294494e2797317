import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { convert, linesOf } from './support/convert.ts';

const ACCOUNTS = 'external_account_number,import_supplier\nHV-1,HARBOUR-VALE\nHV-2,HARBOUR-VALE\n';
const account = (external_account_number: string) => ({ import_supplier: 'HARBOUR-VALE', external_account_number });
const transactions = (...rows: string[]) =>
  `external_account_number,transaction_id,transaction_date,type,amount,reason\n${rows.join('\n')}\n`;
const charge = (transaction_id: string, amount: string, transaction_date = '2026-04-05') => ({
  ...{ transaction_id, transaction_date, type: 'CHARGE', amount, reason: 'OLD' },
});

describe('causeway convert', () => {
  it('25.2.1 joins the rows of several files by account number, whatever their order', async () => {
    const converted = await convert({
      transactions: transactions('HV-2,T3,2026-04-05,CHARGE,3.00,OLD', 'HV-1,T1,2026-04-05,CHARGE,0.10,OLD'),
      'transactions 2': transactions('HV-1,T2,2026-04-05,CHARGE,12345678901.20,OLD'),
      'supply-points':
        'customer_at_supply_address_from_date,supply_address1,supply_postcode,external_account_number\n2019-04-01,Flat 4,LS1 4AP,HV-2\n',
      'payment-instructions': 'external_account_number,vendor,reference,type\nHV-1,SANDBOX,pm_ok,CARD\n',
      accounts:
        'external_account_number,import_supplier,control.transactions\nHV-2,HARBOUR-VALE,1\nHV-1,HARBOUR-VALE,\n',
    });
    expect(converted).toMatchObject({ code: 0, stdout: expect.stringContaining('causeway validate book.ndjson') });
    const address = { supply_address1: 'Flat 4', supply_postcode: 'LS1 4AP' };
    expect(await converted.book()).toEqual([
      {
        account: {
          ...account('HV-2'),
          supply_addresses: [{ ...address, customer_at_supply_address_from_date: '2019-04-01' }],
        },
        transactions: [charge('T3', '3.00')],
        control: { transactions: 1 },
      },
      {
        account: account('HV-1'),
        transactions: [charge('T1', '0.10'), charge('T2', '12345678901.20')],
        payment_instruction: { vendor: 'SANDBOX', reference: 'pm_ok', type: 'CARD' },
      },
    ]);
  });

  it('25.2.2 refuses columns that nobody knows, and names the closest ones', async () => {
    const header = 'external_account_number,import_supplier,billing_nmae,landline,__proto__.x\n';
    const refused = await convert({ accounts: `${header}HV-1,HARBOUR-VALE,Zoë,1,2\n` });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/billing_nmae {2}is it billing_name/);
    expect(refused.stderr).toMatch(/landline {2}is it customers\.0\.landline/);

    const quoted = 'external_account_number,import_supplier,"foo""bar","additional_data.a""b"\nHV-1,HARBOUR-VALE,1,2\n';
    const unsayable = await convert({ accounts: quoted }, ['--keep-undocumented']);
    expect([unsayable.code, unsayable.stderr]).toEqual([2, expect.stringMatching(/foo"bar\n.*additional_data\.a"b/s)]);

    const hidden =
      'external_account_number,import_supplier,additional_data.__proto__,metadata.__proto__.x\nHV-1,A,1,2\n';
    const unkept = await convert({ accounts: hidden });
    expect(unkept.code).toBe(2);
    expect(unkept.stderr).toMatch(/additional_data\.__proto__.*\n.*metadata\.__proto__\.x/);

    const kept = await convert({ accounts: header.replace(',__proto__.x', '').concat('HV-1,HARBOUR-VALE,Zoë,1\n') }, [
      '--keep-undocumented',
    ]);
    expect(await kept.book()).toEqual([{ account: { ...account('HV-1'), billing_nmae: 'Zoë', landline: '1' } }]);
  });

  it('25.2.2 25.2.5 takes a number for a place in a list, and for no name of an object', async () => {
    const [columns, row] = ['external_account_number,import_supplier,customers.1.family_name', 'HV-1,HARBOUR-VALE,Roe'];
    const named = `${columns},additional_data.usage.2023,additional_data.usage.2025\n${row},11,22\n`;
    const refused = await convert({ accounts: named });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('columns of additional_data.usage with numbers as names: 2023, 2025.');
    expect(refused.stderr).toContain('make one column additional_data of it, with JSON in its cells.');
    const json = `${columns},additional_data\n${row},"{""usage"": {""2023"": ""11""}}"\n`;
    expect(await (await convert({ accounts: json })).book()).toMatchObject([
      { account: { additional_data: { usage: { 2023: '11' } } } },
    ]);
    const placed = await convert({ accounts: named.replace('2023', '1').replace('2025', '0') });
    const { account: written } = (await placed.book())[0] as { account: unknown };
    expect(written).toMatchObject({ customers: [{ family_name: 'Roe' }], additional_data: { usage: ['22', '11'] } });
  });

  it.each([
    ['external_account_number,transaction_id\nHV-1,T1\n', 'lacks the columns transaction_date, type, amount'],
    ['external_account_number,external_account_number\n', 'has the column external_account_number twice'],
    ['external_account_number,given_name\nHV-1,Zoë\n', 'is it a file for --customers?'],
    ['external_account_number,"transaction_id\nHV-1,T1\n', 'transactions.csv line 1, its header: A quote'],
    ['external_account_number,Transaction-ID,TRANSACTION ID\n', 'two columns for transaction_id'],
    ['external_account_number,amount,AMOUNT\n', 'two columns for amount: amount, and AMOUNT'],
    ['', 'is empty'],
  ])('25.2.2 refuses a file of which no row could be trusted: %j', async (file, sentence) => {
    const refused = await convert({ accounts: ACCOUNTS, transactions: file });
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(await readdir(refused.folder)).toEqual(['accounts.csv', 'transactions.csv']);
  });

  it('25.2.2 tells the unknown columns of all files together, before it reads a row', async () => {
    const refused = await convert({
      accounts: 'external_account_number,branch\nHV-1,Leeds\n',
      customers: 'external_account_number,given_name,date_of_birth\nHV-1,Zoë,03/04/1984\n',
      notes: 'external_account_number,remark\nHV-1,Hello\n',
    });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^accounts.csv has a column that no accounts have:\n {2}branch\n/);
    expect(refused.stderr).toMatch(/\nnotes.csv has a column that no notes have:\n {2}remark\n/);
    expect(refused.stderr).not.toContain('customers.csv');
  });

  it('25.2.2 takes the supplier from --supplier, and no field from two places', async () => {
    const accounts = 'external_account_number,transactions.0.amount\nHV-1,1\n';
    const named = await convert({ accounts: 'external_account_number\nHV-1\n' }, ['--supplier', 'HARBOUR-VALE']);
    expect(await named.book()).toEqual([{ account: account('HV-1') }]);
    const unnamed = await convert({ accounts: 'external_account_number\nHV-1\n' });
    expect(unnamed).toMatchObject(failure(2, '--supplier CODE'));
    const twice = await convert({ accounts, transactions: transactions() }, ['--supplier', 'HARBOUR-VALE']);
    expect(twice).toMatchObject(failure(2, 'Give them in one place'));
  });

  it('25.2.3 reads a cell as its field needs it, and leaves empty ones out', async () => {
    const names = [
      ...['unknown_occupier', 'payment_schedules.0.day_of_month', 'payment_schedules.0.means', 'transfer_balance'],
      ...['payment_schedules.1.day_of_month', 'payment_schedules.1.mandate.scheme'],
      ...['customers.0.given_name', 'customers.1.given_name', 'customers.1.alternative_phone_numbers', 'billing_name'],
    ];
    const cells = 'No,012,DD,"1,234.50",LAST,BACS,,Tom,"[""0113 496 0999""]","007, ""Bond"""';
    const { book } = await convert({
      accounts: `external_account_number,import_supplier,${names}\nHV-1,HARBOUR-VALE,${cells}\n`,
    });
    expect(await book()).toEqual([
      {
        account: {
          ...account('HV-1'),
          unknown_occupier: false,
          payment_schedules: [
            { day_of_month: 12, means: 'DD' },
            { day_of_month: 'LAST', mandate: { scheme: 'BACS' } },
          ],
          transfer_balance: '1234.50',
          customers: [{ given_name: 'Tom', alternative_phone_numbers: ['0113 496 0999'] }],
          billing_name: '007, "Bond"',
        },
      },
    ]);
  });

  it('25.2.3 refuses a cell by what its field may be, and a number that a spreadsheet has cut', async () => {
    const refused = await convert(
      {
        accounts: ACCOUNTS,
        'payment-instructions': 'external_account_number,vendor,reference,type\nHV-1,SANDBOX,"2,37786E+12",CARD\n',
        statements:
          'external_account_number,statement_id,number,issued_date,bill_period_from_date,bill_period_to_date,gross_amount\nHV-1,S1,1,2026-02-01,2026-01-01,2026-01-31,12.345\n',
        transactions: transactions('HV-2,T1,2026-04-05,PAYMNT,1.00,OLD'),
      },
      ['--json'],
    );
    const details = refused.json().rejected.faults.map(({ detail }: { detail: string }) => detail);
    expect(details).toEqual([
      'Must be one of CHARGE, CREDIT, PAYMENT, REPAYMENT, SUPPLY_CHARGE.',
      'Must have at most 2 decimal places.',
      'A spreadsheet has cut this number: export it as text.',
    ]);
  });

  it('25.2.3 joins rows of a meter point each to the address that they have in common', async () => {
    const { book } = await convert({
      accounts: ACCOUNTS,
      'supply-points': [
        'external_account_number,customer_at_supply_address_from_date,supply_address1,meter_points.identifier',
        'HV-1,2019-04-01,Flat 4,E-1',
        'HV-2,2019-04-01,Flat 4,E-2',
        'HV-1,2019-04-01,Flat 4,G-1',
        'HV-1,2019-04-01,Flat 5,E-3',
      ].join('\n'),
    });
    const second = 'external_account_number,meter_points.identifier,meter_points.1.ssc';
    const refused = await convert({ accounts: ACCOUNTS, 'supply-points': second });
    expect(refused).toMatchObject(failure(2, 'Give each column of meter_points its place, or none of them.'));
    const from = { customer_at_supply_address_from_date: '2019-04-01' };
    const [first] = await book();
    expect(first.account.supply_addresses).toEqual([
      { ...from, supply_address1: 'Flat 4', meter_points: [{ identifier: 'E-1' }, { identifier: 'G-1' }] },
      { ...from, supply_address1: 'Flat 5', meter_points: [{ identifier: 'E-3' }] },
    ]);
  });

  it.each(['utf-16le', 'utf-16be'] as const)(
    '25.2.4 reads %s without a byte order mark, says so, and takes no flag that says another encoding',
    async (encoding) => {
      const accounts = Buffer.from(ACCOUNTS.replace('HV-2', 'HV-\u00EB'), 'utf16le');
      if (encoding === 'utf-16be') accounts.swap16();
      for (const words of [
        ['--encoding', 'utf-8'],
        ['--encoding', 'windows-1252'],
      ]) {
        const refused = await convert({ accounts }, words);
        expect(refused).toMatchObject(failure(2, 'accounts.csv is UTF-16'));
        expect(refused.stderr).toContain(`--encoding accounts=${encoding}`);
      }
      const read = await convert({ accounts });
      expect(await read.book()).toHaveLength(2);
      expect(read.stderr).toContain(`Guessed: ${encoding}, by its zero bytes`);
      expect(await (await convert({ accounts }, ['--encoding', encoding])).book()).toHaveLength(2);
    },
  );

  it('25.2.4 asks where UTF-8 is said to be Windows-1252, and takes the word of the flag for ASCII', async () => {
    const asked = await convert({ accounts: ACCOUNTS.replace('HV-2', 'HV-\u00EB') }, ['--encoding', 'windows-1252']);
    expect(asked).toMatchObject(failure(2, 'Is it Windows-1252?'));
    expect(asked.stderr).toContain('accounts.csv is valid UTF-8, and line 3 is not ASCII.');
    expect(asked.stderr).toContain('--encoding accounts=utf-8');
    const words = ['--encoding', 'windows-1252', '--encoding', 'accounts=utf-8'];
    expect(await (await convert({ accounts: ACCOUNTS.replace('HV-2', 'HV-\u00EB') }, words)).book()).toHaveLength(2);
    expect(await (await convert({ accounts: ACCOUNTS }, ['--encoding', 'windows-1252'])).book()).toHaveLength(2);
  });

  it('25.2.4 a file without a column that it needs says where the expected form can be seen', async () => {
    for (const accounts of ['a,b\n1,2\n', '', '\n,,\n']) {
      const refused = await convert({ accounts });
      expect(refused).toMatchObject(failure(2, 'causeway sample --csv sample'));
    }
  });

  it('25.2.4 takes the word of the flags, for one kind of file', async () => {
    const accounts = Buffer.from(ACCOUNTS.replace('HV-2', 'HV-\u00EB'), 'latin1');
    const refused = await convert({ accounts }, ['--encoding', 'utf-8']);
    expect(refused).toMatchObject(failure(2, '--encoding accounts=windows-1252'));
    const both = await convert({ accounts, transactions: transactions().replaceAll(',', ';') }, [
      ...['--encoding', 'accounts=windows-1252', '--separator', 'transactions=;', '--separator', ','],
    ]);
    expect(await both.book()).toHaveLength(2);
  });
});

describe('decimals and dates of convert', () => {
  it('25.2.5 reads decimals with a comma of one kind of file, and advises where a comma may be either', async () => {
    const files = {
      accounts: `external_account_number,import_supplier,transfer_balance\nHV-1,HARBOUR-VALE,"28,340"\nHV-2,HARBOUR-VALE,1.50\n`,
      transactions: transactions('HV-2,T1,2026-04-05,CHARGE,"1.234,56",OLD', 'HV-2,T2,2026-04-05,CHARGE,"0,5",OLD'),
    };
    const without = await convert(files);
    expect(without).toMatchObject(
      failure(2, 'transactions.csv line 2, column amount: the decimals stand behind a comma.'),
    );

    const converted = await convert(files, ['--decimal-comma', 'transactions']);
    expect(converted.code).toBe(3);
    expect(await converted.book()).toEqual([
      {
        account: { ...account('HV-2'), transfer_balance: '1.50' },
        transactions: [charge('T1', '1234.56'), charge('T2', '0.5')],
      },
    ]);
    expect(converted.stderr).toContain(
      'accounts.csv line 2, column transfer_balance: The comma may stand before decimals',
    );
    expect(converted.stderr).toContain('--decimal-comma accounts');
    expect(converted.stderr).not.toContain('28,340');
    expect(converted.stdout).toMatch(
      /--accounts book\.ndjson\.rejected\/accounts\.csv \\\n.*--decimal-comma transactions \\\n/,
    );
    for (const line of converted.stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('25.2.5 judges dates by column: one that has one reading says how the others are meant', async () => {
    const rows = ['HV-1,T1,04/03/2026,CHARGE,1,OLD', 'HV-1,T2,31/03/2026,CHARGE,1,OLD'];
    const clear = await convert({ accounts: ACCOUNTS, transactions: transactions(...rows) });
    expect((await clear.book())[0].transactions).toEqual([
      charge('T1', '1', '2026-03-04'),
      charge('T2', '1', '2026-03-31'),
    ]);
    expect(clear.stderr).toContain('transactions.csv: 2 rows. Guessed: dates DD/MM/YYYY');

    const files = { accounts: ACCOUNTS, transactions: transactions(rows[0] ?? '') };
    const unclear = await convert(files);
    expect(unclear).toMatchObject({ code: 2, stdout: '' });
    expect(unclear.stderr).toContain(
      'line 2, column transaction_date: the value may be read as DD/MM/YYYY or as MM/DD/YYYY',
    );
    expect(unclear.stderr).toContain('--date-format transactions=DD/MM/YYYY');
    const said = await convert(files, ['--date-format', 'transactions.transaction_date=MM/DD/YYYY']);
    expect((await said.book())[0].transactions[0].transaction_date).toBe('2026-04-03');

    const mixed = transactions('HV-1,T2,03/31/2026,CHARGE,1,OLD', rows[1] ?? '');
    const asked = await convert({ accounts: ACCOUNTS, transactions: mixed });
    expect(asked).toMatchObject(failure(2, 'is written DD/MM/YYYY, and another one MM/DD/YYYY (line 2)'));
  });

  it('25.2.5 says at once which flags all files need', async () => {
    const files = {
      accounts: ACCOUNTS,
      notes: 'external_account_number,created_at,body\nHV-1,2025-06-01 10:15,a note\n',
      transactions: transactions('HV-1,T1,04/03/2026,CHARGE,1,OLD'),
    };
    const unclear = await convert(files);
    expect(unclear).toMatchObject({ code: 2, stdout: '' });
    const flags = ['--time-zone notes=Europe/London', '--date-format transactions=DD/MM/YYYY'];
    expect(unclear.stderr).toContain(`Say which with --time-zone and --date-format, such as:`);
    expect(unclear.stderr).toContain(`    ${flags.join(' \\\n    ')} \\\n    -o book.ndjson`);
    const words = flags.flatMap((flag) => flag.split(' '));
    expect(await convert(files, words)).toMatchObject({ code: 0 });
  });

  it('25.2.5 writes datetimes in UTC, once it knows their zone', async () => {
    const unreal = '2026-02-30 10:15Z';
    const notes = ['2025-06-01 10:15', '2025-11-20T10:15:00+01:00', '2025-10-26 01:30', '2025-03-30 01:30', unreal]
      .map((created_at, index) => `HV-${index < 2 ? 1 : 2},${created_at},a note\n`)
      .join('');
    const files = { accounts: ACCOUNTS, notes: `external_account_number,created_at,body\n${notes}` };
    const unknown = await convert(files);
    expect(unknown).toMatchObject(failure(2, '--time-zone notes=Europe/London'));
    const known = await convert(files, ['--time-zone', 'Europe/London']);
    expect((await known.book())[0].notes).toEqual([
      { created_at: '2025-06-01T09:15:00Z', body: 'a note' },
      { created_at: '2025-11-20T09:15:00Z', body: 'a note' },
    ]);
    expect(known.stderr).toMatch(/line 4, column created_at: This time came twice/);
    expect(known.stderr).toMatch(/line 5, column created_at: There is no such time/);
    expect(known.stderr).toMatch(/line 6, column created_at: Must be a real calendar day/);
  });
});

describe('what convert rejects', () => {
  const files = {
    accounts: `${ACCOUNTS}HV-3,HARBOUR-VALE\n`,
    customers:
      'external_account_number,given_name,date_of_birth\nHV-1,Zoë,1984-02-30\nHV-2,NULL,\nHV-2,Tom\nHV-3,Ann,\n',
    transactions: transactions('HV-1,T1,2026-04-05,CHARGE,1.00,OLD', 'HV-3,T2,2026-04-05,CHARGE,2.00,OLD'),
  };

  it('25.2.6 rejects an account with one bad row as a whole, and names file, line, column and path', async () => {
    const converted = await convert(files, ['--json']);
    expect(converted.code).toBe(3);
    expect(await converted.book()).toMatchObject([{ account: account('HV-3') }]);
    const { rejected } = converted.json();
    expect(rejected).toMatchObject({ accounts: 2, rows: 3, folder: 'book.ndjson.rejected' });
    const first = { file: 'customers.csv', line: 2, column: 'date_of_birth', path: 'customers.*.date_of_birth' };
    expect(rejected.faults[0]).toMatchObject({ ...first, account: 'HV-1', value: '9999-99-99', rows: 1 });
    expect(rejected.faults[1]).toMatchObject({ line: 3, detail: "Leave the cell empty, or give --empty-text 'NULL'." });
    expect(rejected.faults[2]).toMatchObject({ line: 4, detail: 'Has 2 cells, and the header has 3.' });
    const shown = await convert(files, ['--show-values']);
    expect(shown.stderr).toContain('Value: 1984-02-30.');
    expect(shown.stdout).toContain('Fix them there, then:');
    const none = await convert({
      accounts: 'external_account_number,import_supplier\nHV-1,HARBOUR-VALE\n',
      transactions: transactions('HV-1,T1,2026-04-05,CHARGE,1.00 kWh,OLD'),
    });
    expect(none.stdout).toContain('Give the flags named above, or fix your files, and convert them again with --yes.');
    expect(none.stdout).not.toContain('Fix them there');
  });

  it('25.2.6 keeps every row of a rejected account, to be fixed and converted by itself', async () => {
    const converted = await convert(files);
    const folder = path.join(converted.folder, 'book.ndjson.rejected');
    expect((await readdir(folder)).sort()).toEqual(['accounts.csv', 'customers.csv', 'transactions.csv']);
    const customers = path.join(folder, 'customers.csv');
    const text = await readFile(customers, 'utf8');
    expect(text).toContain('HV-1,Zoë,1984-02-30,"date_of_birth: Must be a real calendar day');
    const fixed = text
      .replace('1984-02-30', '1984-02-29')
      .replace('NULL', 'Tim')
      .replace(/"?Has 2 cells.*/, '');
    await writeFile(customers, fixed);
    const flags = ['accounts', 'customers', 'transactions'].flatMap((kind) => [
      `--${kind}`,
      path.join(folder, `${kind}.csv`),
    ]);
    const again = await causeway(['convert', ...flags, '-o', 'fixed.ndjson'], { directory: converted.folder });
    expect(again.code).toBe(0);
    const [first, second] = await linesOf(path.join(converted.folder, 'fixed.ndjson'));
    expect(first.transactions).toEqual([charge('T1', '1.00')]);
    expect(second.account.customers).toEqual([{ given_name: 'Tim' }, { given_name: 'Tom' }]);
  });

  it('25.2.7 rejects an account with two rows, and rows without an account', async () => {
    const converted = await convert({
      accounts: `${ACCOUNTS}HV-1,HARBOUR-VALE\n`,
      transactions: transactions('HV-9,T1,2026-04-05,CHARGE,1.00,OLD', ',T2,2026-04-05,CHARGE,1.00,OLD'),
    });
    expect(await converted.book()).toEqual([{ account: account('HV-2') }]);
    expect(converted.stderr).toContain('accounts.csv line 4: The account has a row already: accounts.csv line 2.');
    expect(converted.stderr).toContain('transactions.csv line 2: The account has no row among the accounts.');
    expect(converted.stderr).toContain('transactions.csv line 3, column external_account_number: Must not be empty.');
  });

  it('25.2.7 an account has a row for each type of payment instruction', async () => {
    const rows = ['HV-1,SANDBOX,pm_1,DIRECT_DEBIT', 'HV-1,SANDBOX,pm_2,CARD', 'HV-2,SANDBOX,pm_3,CARD'];
    const files = {
      accounts: ACCOUNTS,
      'payment-instructions': `external_account_number,vendor,reference,type\n${rows.join('\n')}\n`,
    };
    const of = (reference: string, type: string) => ({ vendor: 'SANDBOX', reference, type });
    const converted = await convert(files);
    expect(await converted.book()).toEqual([
      { account: account('HV-1'), payment_instructions: [of('pm_1', 'DIRECT_DEBIT'), of('pm_2', 'CARD')] },
      { account: account('HV-2'), payment_instruction: of('pm_3', 'CARD') },
    ]);
    const again = 'external_account_number,vendor,reference,type\nHV-1,SANDBOX,pm_4,CARD\n';
    const rejected = await convert({ ...files, 'payment-instructions 2': again });
    expect(await rejected.book()).toHaveLength(1);
    expect(rejected.stderr).toMatch(
      /instructions-2\.csv line 2: The account has a row of this type already:\s+payment-instructions\.csv line 3\./,
    );
  });

  it('25.2.7 writes the history of accounts that exist with --history-only', async () => {
    const customers = 'external_account_number,given_name\nHV-8,Zoë\n';
    const rows = ['HV-9,T1,2026-04-05,CHARGE,1.00,OLD', 'HV-8,T2,2026-04-05,CHARGE,1.00,OLD'];
    const converted = await convert({ customers, transactions: transactions(...rows) }, ['--history-only']);
    expect(converted.code).toBe(3);
    expect(await converted.book()).toEqual([{ external_account_number: 'HV-9', transactions: [charge('T1', '1.00')] }]);
    expect(converted.stderr).toContain('only its history can be added');
  });
});

describe('the output of convert', () => {
  it('25.2.8 replaces neither a book nor fixed rows without being told', async () => {
    const directory = await temporaryFolder();
    await writeFile(path.join(directory, 'a.csv'), ACCOUNTS);
    const words = ['convert', '--accounts', 'a.csv', '-o', 'book.ndjson.zst'];
    expect(await causeway(words, { directory })).toMatchObject({ code: 0 });
    expect(await causeway(words, { directory })).toMatchObject(failure(2, '--yes'));
    expect(await causeway([...words, '--yes'], { directory })).toMatchObject({ code: 0 });
    const packed = await readFile(path.join(directory, 'book.ndjson.zst'));
    expect(zstdDecompressSync(packed).toString().trim().split('\n')).toHaveLength(2);
    const itself = await causeway(['convert', '--accounts', 'a.csv', '-o', 'a.csv', '--yes'], { directory });
    expect(itself).toMatchObject(failure(2, 'one of the files to read'));
  });

  it('25.2.8 leaves nothing behind where it is interrupted', async () => {
    const stopped = await convert({ accounts: ACCOUNTS }, [], { stop: AbortSignal.abort() });
    expect(stopped).toMatchObject({ code: 130, stdout: '' });
    expect(await readdir(stopped.folder)).toEqual(['accounts.csv']);
  });

  it('25.2.8 writes no book that another run is writing', async () => {
    const directory = await temporaryFolder();
    await writeFile(path.join(directory, 'a.csv'), ACCOUNTS);
    await mkdir(path.join(directory, 'book.ndjson.converting'));
    const refused = await causeway(['convert', '--accounts', 'a.csv', '-o', 'book.ndjson'], { directory });
    expect(refused).toMatchObject(failure(2, 'remove book.ndjson.converting'));
    const nowhere = await causeway(['convert', '--accounts', 'a.csv', '-o', 'none/book.ndjson'], { directory });
    expect(nowhere).toMatchObject(failure(2, 'there is no such folder'));
  });

  it('25.2.8 says which file cannot be read', async () => {
    const directory = await temporaryFolder();
    for (const [file, why] of [
      ['none.csv', 'there is no such file'],
      ['.', 'is a folder'],
    ]) {
      const refused = await causeway(['convert', '--accounts', file ?? '', '-o', 'book.ndjson'], { directory });
      expect(refused).toMatchObject(failure(2, why ?? ''));
    }
  });
});
