import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { convert, linesOf } from './support/convert.ts';

const ACCOUNTS = 'external_account_number,import_supplier\nHV-1,HARBOUR-VALE\nHV-2,HARBOUR-VALE\n';
const SUPPLIER = ['--supplier', 'HARBOUR-VALE'];
const account = (external_account_number: string) => ({ import_supplier: 'HARBOUR-VALE', external_account_number });
/** Accounts with one column more, of one account a cell. */
const accountsWith = (column: string, ...cells: string[]) =>
  `external_account_number,${column}\n${cells.map((cell, index) => `HV-${index + 1},${cell}\n`).join('')}`;

describe('headers and rows in any dress', () => {
  it('25.2.2 leaves out empty columns, blank rows and rows of separators, and says so', async () => {
    const rows = [
      'sep=;',
      'external_account_number;billing_name;;',
      'HV-1;Zoë;;',
      ';;;',
      '',
      'HV-2;Tom',
      '  ;;;',
      '(2 rows affected)',
    ];
    const converted = await convert({ accounts: `${rows.join('\r\n')}\r\n` }, SUPPLIER);
    expect(await converted.book()).toHaveLength(2);
    expect(converted.stderr).toContain('2 empty columns without a header left out');
    expect(converted.stderr).toContain('2 blank rows left out');
    expect(converted.stderr).toContain('1 line below the table left out, on line 8');
    const filled = await convert({ accounts: 'external_account_number,billing_name,\nHV-1,Zoë,lost\n' }, SUPPLIER);
    expect(filled).toMatchObject(failure(2, 'column_3'));
  });

  it('25.2.2 takes quotes for characters where a flag says that cells never stand in them', async () => {
    const rows = ['HV-1,7" Pipe Works', 'HV-2,"The Red" Lion', 'HV-3,"'];
    const accounts = `external_account_number,billing_name\n${rows.join('\n')}\n`;
    const converted = await convert({ accounts }, [...SUPPLIER, '--quotes', 'none']);
    const names = (await converted.book()).map((line) => line.account.billing_name);
    expect(names).toEqual(['7" Pipe Works', '"The Red" Lion', '"']);
    expect(await convert({ accounts }, [...SUPPLIER, '--quotes', 'double'])).toMatchObject(
      failure(2, '--quotes takes none'),
    );
  });

  it.each([
    ['a title in a row of the table', 'Accounts as of May,,\n\n', ','],
    ['a title without a separator', 'Accounts\nas of May\n', ';'],
    ['a title with another separator', '"Accounts, as of May"\nprinted, by us\n', ';'],
    ['what the list is of', 'Day;2026-05-31\nList;Accounts\n', ';'],
  ])('25.2.2 takes the header below %s, and says so', async (_name, title, separator) => {
    const rows = [
      ['external_account_number', 'billing_name', 'import_supplier', 'transfer_balance', 'last_billed_to_date'],
      ['HV-1', 'Zoë', 'HARBOUR-VALE', '1.50', '2026-05-30'],
      ['HV-2', '', 'HARBOUR-VALE', '2.50', ''],
    ];
    const converted = await convert({ accounts: `${title}${rows.map((row) => row.join(separator)).join('\n')}\n` });
    expect(await converted.book()).toHaveLength(2);
    expect(converted.stderr).toContain('the header is line 3; 2 lines above it left out');
  });

  it('25.2.2 asks for the header where it is not sure, and takes the line that is given', async () => {
    const rows = 'list,of,May\n\nexternal_account_number,billing_name,a,b,c,d\nHV-1,Zoë,1,1,1,1\nHV-2,Tom,2,2,2,2\n';
    const asked = await convert({ accounts: rows }, SUPPLIER);
    expect(asked).toMatchObject(failure(2, 'accounts.csv may have its header on line 3: line 1 has 3 cells'));
    expect(asked.stderr).toContain('  --header-line accounts=3 ');
    const ofWords = await convert({ accounts: 'Our list\nexternal_account_number,a,b\nA,one,two\nB,one,two\n' });
    expect(ofWords).toMatchObject(failure(2, 'accounts.csv may have its header on line 2: line 1 has 1 cell'));
    const flags = [...SUPPLIER, '--keep-undocumented', '--header-line'];
    expect(await (await convert({ accounts: rows }, [...flags, 'accounts=3'])).book()).toMatchObject([
      { account: { billing_name: 'Zoë', d: '1' } },
      { account: { billing_name: 'Tom', d: '2' } },
    ]);
    expect(await convert({ accounts: rows }, [...flags, '2'])).toMatchObject(failure(2, 'has no row on line 2'));
    expect(await convert({ accounts: rows }, [...flags, 'two'])).toMatchObject(failure(2, 'or first; not "two"'));
    const named = await convert({ accounts: rows }, [...flags, 'first']);
    expect(named).toMatchObject(failure(2, 'lacks the column external_account_number'));
    expect(named.stderr).toContain('Line 3 looks like its header: give --header-line accounts=3');
  });

  it('25.2.2 takes the first row for the header where rows of values have more cells', async () => {
    const ragged = 'external_account_number,billing_name\nHV-1,Zoë,1,2,3\nHV-2,Tom,1,2,3\n';
    const converted = await convert({ accounts: ragged }, SUPPLIER);
    expect(converted.stderr).toContain('Has 5 cells, and the header has 2.');
  });
});

describe('values that are not what they look like', () => {
  it.each([
    ['transfer_balance', '(-48.20)', 'Has two signs.'],
    ['transfer_balance', '"28,340"', '--decimal-comma accounts'],
    ['transfer_balance', '48.20 kWh', 'Must be a decimal number'],
  ])('25.2.5 rejects %s %s, and says what to do', async (column, cell, advice) => {
    const refused = await convert({ accounts: accountsWith(column, cell) }, SUPPLIER);
    expect(refused.code).toBe(3);
    expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(advice.trim());
  });

  it.each([
    ['"-£1,048.20"', '-1048.20'],
    ['1\u00A0234.56', '1234.56'],
    ['48.20CR', '48.20', 'positive'],
    ['EUR 48.20 DR', '-48.20', 'positive'],
  ])('25.2.5 reads the amount %s as %s', async (cell, balance, credit = 'negative') => {
    const files = { accounts: accountsWith('transfer_balance', cell) };
    const converted = await convert(files, [...SUPPLIER, '--credit', `accounts=${credit}`]);
    expect(await converted.book()).toMatchObject([{ account: { transfer_balance: balance } }]);
    expect(converted.stderr.includes('had a currency, which is left out')).toBe(/£|EUR/.test(cell));
  });

  it('25.2.5 judges decimals by column: one 18,50 says that 19.721 is no fraction', async () => {
    const files = { accounts: accountsWith('transfer_balance', '19.721', '"18.721,50"') };
    const asked = await convert(files, SUPPLIER);
    expect(asked).toMatchObject(
      failure(2, 'accounts.csv line 3, column transfer_balance: the decimals stand behind a comma.'),
    );
    const { book } = await convert(files, [...SUPPLIER, '--decimal-comma', 'accounts']);
    expect((await book()).map((line) => line.account.transfer_balance)).toEqual(['19721', '18721.50']);
  });

  it('25.2.5 asks where two digits may be a year or a day', async () => {
    const files = { accounts: accountsWith('last_billed_to_date', '26-01-05') };
    expect(await convert(files, SUPPLIER)).toMatchObject(failure(2, 'as DD-MM-YY or as YY-MM-DD'));
    const { book } = await convert(files, [...SUPPLIER, '--date-format', 'YY-MM-DD']);
    expect(await book()).toMatchObject([{ account: { last_billed_to_date: '2026-01-05' } }]);
  });

  it('25.2.3 several texts may stand for an empty cell, of one column too', async () => {
    const rows =
      'external_account_number,billing_name,last_billed_to_date\nHV-1,NULL,9999-12-31\nHV-2,n/a,2026-01-01\n';
    const words = ['--empty-text', 'NULL', '--empty-text', 'accounts.last_billed_to_date=9999-12-31'];
    const { book } = await convert({ accounts: rows }, [...SUPPLIER, ...words, '--empty-text', 'accounts=n/a']);
    expect(await book()).toEqual([
      { account: account('HV-1') },
      { account: { ...account('HV-2'), last_billed_to_date: '2026-01-01' } },
    ]);
  });
});

const POINTS =
  'external_account_number,customer_at_supply_address_from_date,meter_points.identifier,meter_points.meters.meter_serial_number';

describe('rows that are parts of others', () => {
  it('25.2.10 puts readings, registers and agreements into their meters, and lines and taxes into their charges', async () => {
    const meter = 'external_account_number,meter_point_identifier,meter_serial_number';
    const converted = await convert({
      accounts: ACCOUNTS,
      'supply-points': `${POINTS}\nHV-1,2019-04-01,E-1,S1\nHV-1,2019-04-01,G-1,S2\n`,
      registers: `${meter},register_id\nHV-1,E-1,S1,01\n`,
      readings: `${meter},register_id,reading_date,reading_at,reading_value\nHV-1,G-1,,1,2026-01-01,2026-01-01T23:30:00Z,5\nHV-1,E-1,S1,01,2026-01-01,,7\n`,
      agreements: 'external_account_number,meter_point_identifier,tariff_code,effective_from\nHV-1,E-1,T1,2024-01-01\n',
      transactions:
        'external_account_number,transaction_id,transaction_date,type,amount\nHV-1,T1,2026-01-01,CHARGE,12.00\n',
      'line-items':
        'external_account_number,transaction_id,start_date,end_date,number_of_units,net_amount\nHV-1,T1,2025-12-01,2025-12-31,1,4.00\nHV-1,T1,2026-01-01,2026-01-31,2,6.00\n',
      'tax-items':
        'external_account_number,transaction_id,amount,tax_type,value_taxed,rate,unit_type\nHV-1,T1,2.00,VAT,10.00,20,PERCENTAGE\n',
    });
    expect([converted.code, converted.stderr]).toEqual([0, expect.any(String)]);
    const [line] = await converted.book();
    const [{ meter_points: points }] = line.account.supply_addresses;
    expect(points[0]).toMatchObject({
      agreements: [{ tariff_code: 'T1' }],
      meters: [{ registers: [{ register_id: '01' }], transfer_readings: [{ reading_value: '7' }] }],
    });
    expect(points[1].meters[0].transfer_readings).toMatchObject([
      { register_id: '1', reading_date: '2026-01-01', reading_at: '2026-01-01T23:30:00Z', reading_value: '5' },
    ]);
    expect(line.transactions).toMatchObject([
      {
        transaction_id: 'T1',
        line_items: [{ net_amount: '4.00' }, { net_amount: '6.00' }],
        tax_items: [{ amount: '2.00' }],
      },
    ]);
  });

  it('25.2.10 rejects the account of a part that names nothing, or nothing certain', async () => {
    const meter = 'external_account_number,meter_point_identifier,meter_serial_number,reading_date,reading_value';
    const files = {
      accounts: ACCOUNTS,
      'supply-points': `${POINTS}\nHV-1,2019-04-01,0012,S1\nHV-1,2019-04-01,0012,S2\nHV-2,2019-04-01,E-2,S1\n`,
    };
    const rejected = await convert({
      ...files,
      readings: `${meter}\nHV-1,0012,,2026-01-01,5\nHV-1,12,S1,2026-01-01,5\nHV-2,E-3,S1,2026-01-01,5\n`,
    });
    expect(rejected).toMatchObject({ code: 3 });
    const said = rejected.stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain(
      'readings.csv line 2, column meter_serial_number: Say which meter_serial_number: there are 2.',
    );
    expect(said).toContain(
      'line 3, column meter_point_identifier: The account has nothing with this identifier. One differs',
    );
    expect(said).toContain('line 4, column meter_point_identifier: The account has nothing with this identifier.');
    const twice = 'external_account_number,transaction_id,transaction_date,type,amount,line_items.0.net_amount\n';
    const lines = 'external_account_number,transaction_id,start_date,end_date,number_of_units,net_amount\n';
    expect(await convert({ accounts: ACCOUNTS, transactions: twice, 'line-items': lines })).toMatchObject(
      failure(2, 'Give them in one place.'),
    );
  });

  it('25.2.3 joins rows of several files by what they say, whichever lists each of them has', async () => {
    const address = 'external_account_number,customer_at_supply_address_from_date,supply_address1';
    const files = {
      accounts: ACCOUNTS,
      'supply-points': `${address}\nHV-1,2019-04-01,Flat 4\n`,
      'supply-points 2': `${address},meter_points.identifier\nHV-1,2019-04-01,Flat 4,E-1\n`,
      'supply-points 3': `${address},meter_points.identifier,meter_points.agreements.tariff_code\nHV-1,2019-04-01,Flat 4,E-1,T1\n`,
      'supply-points 4': `${address},meter_points.identifier,meter_points.meters.meter_serial_number\nHV-1,2019-04-01,Flat 4,E-1,S1\n`,
    };
    const [{ account: written }] = await (await convert(files)).book();
    expect(written.supply_addresses).toEqual([
      {
        customer_at_supply_address_from_date: '2019-04-01',
        supply_address1: 'Flat 4',
        meter_points: [
          { identifier: 'E-1', agreements: [{ tariff_code: 'T1' }], meters: [{ meter_serial_number: 'S1' }] },
        ],
      },
    ]);
  });

  it('25.2.2 refuses a file whose rows are items of two lists at once', async () => {
    const header =
      'external_account_number,transaction_id,transaction_date,type,amount,line_items.net_amount,tax_items.amount';
    const refused = await convert({ accounts: ACCOUNTS, transactions: `${header}\n` });
    expect(refused).toMatchObject(
      failure(2, 'has a row for each of line_items, and of tax_items: a row can be one of them.'),
    );
  });
});

describe('what is written, and should be known', () => {
  it('25.2.2 says which characters are in no column of fixed width', async () => {
    const lines = ['HV-1Zoë   x', 'HV-2Tom', 'HV-3Ann   yz'];
    const columns = 'external_account_number:1-4,billing_name:5-9';
    const converted = await convert({ accounts: `${lines.join('\n')}\n` }, [...SUPPLIER, '--fixed-width', columns]);
    expect(await converted.book()).toHaveLength(3);
    expect(converted.stderr).toContain(
      'characters from 10 on are in no column of --fixed-width, and not blank in 2 rows',
    );
  });

  it.each([
    ['REF_ABO  NOM       ', [], 'line 1 is a header, and left out (--header-line accounts=0 if it is a row)'],
    ['ACCOUNT  NAME\n-------- -----', [], 'line 1 is a header, and left out'],
    ['REF_ABO1 VERSION 12', ['--header-line', '1'], ''],
  ])('25.2.2 takes neither the header %j nor footers of fixed width for rows', async (header, flags, said) => {
    const rows = ['00040000 Total', '00040007 Zoë', '00040014 Fin'];
    const footers = ['--------------', '*** FIN DU FICHIER - 3 LIGNES ***', '(3 rows affected)', '3 Sätze'];
    const accounts = [header, ...rows, ...footers, ''].join('\n');
    const columns = 'external_account_number:1-9,billing_name:10-19';
    const converted = await convert({ accounts }, [...SUPPLIER, '--fixed-width', columns, ...flags]);
    expect([converted.code, await converted.book()]).toMatchObject([0, [{}, {}, {}]]);
    expect(converted.stderr).toContain(said);
    expect(converted.stderr).toContain('4 lines below the table left out, on line ');
    expect(converted.stderr).not.toContain('in no column');
    const kept = await convert({ accounts }, [...SUPPLIER, '--fixed-width', columns, '--header-line', '0']);
    expect((await kept.book()).length).toBeGreaterThan(3);
  });

  it('25.2.2 asks for encodings, columns of fixed width and headers of all files in one run, with one command', async () => {
    const accounts = ['Zo\xEB', 'Andr\xE9', 'Ann', 'Tom'].map((name, row) => `HV-${row} ${name.padEnd(15)}BS1 4LN\n`);
    const customers =
      'List,of,May\n\nexternal_account_number,given_name,a,b,c,d\nHV-1,Zo\xEB,1,1,1,1\nHV-2,Tom,2,2,2,2\n';
    const asked = await convert({
      accounts: Buffer.from(accounts.join(''), 'latin1'),
      customers: Buffer.from(customers, 'latin1'),
    });
    expect(asked.code).toBe(2);
    const command = asked.stderr.slice(asked.stderr.indexOf('causeway convert'));
    expect(command).toContain('--encoding accounts=windows-1252 \\\n');
    expect(command).toContain('--fixed-width accounts=ACCOUNT:1-10,NAME:11-27 \\\n');
    expect(command).toContain('--encoding customers=windows-1252 \\\n');
    expect(command).toContain('--header-line customers=3 \\\n');
  });

  it('25.2.2 leaves the rows of fixed width where --header-line speaks of all files, and says so', async () => {
    const files = {
      accounts: 'HV-1Tom\nHV-2Zoë\n',
      customers: 'May,2026\nexternal_account_number,given_name\nHV-1,Tom\nHV-2,Zoë\n',
    };
    const width = ['--fixed-width', 'accounts=external_account_number:1-4,billing_name:5-9'];
    const converted = await convert(files, [...SUPPLIER, ...width, '--header-line', '2']);
    expect(await converted.book()).toHaveLength(2);
    const told = '--header-line 2 is of the other files (--header-line accounts=2 if of this one too)';
    expect(converted.stderr).toContain(told);
    const own = await convert(files, [...SUPPLIER, ...width, '--header-line', '2', '--header-line', 'accounts=1']);
    expect(own.stderr).toContain('accounts.csv: 1 row\n');
  });

  it('25.2.2 counts the lines of fixed width that have another length than most', async () => {
    const lines = ['HV-1Tom  ', 'HV-2ZoÃ«  ', 'HV-3Ann  ', 'HV-4Tim  ', 'HV-5', '3 Sätze'];
    const columns = 'external_account_number:1-4,billing_name:5-9';
    const converted = await convert({ accounts: `${lines.join('\n')}\n` }, [...SUPPLIER, '--fixed-width', columns]);
    expect(converted.stderr).toContain('2 lines have another length, first line 2');
  });

  it('25.2.4 says which words would be of letters in another encoding than the given one', async () => {
    const names = ['plain', 'Zoë', 'O’Brien', 'Zoë', 'Jürgen'];
    const rows = names.map((name, row) => `HV-${row},${name}\n`).join('');
    const accounts = iconv.encode(`external_account_number,billing_name\n${rows.replace('O’Brien', 'Brien')}`, 'cp850');
    const words = [...SUPPLIER, '--encoding', 'windows-1252'];
    const converted = await convert({ accounts }, [...words, '--show-values']);
    expect(converted.stderr).toContain(
      '2 rows with symbols within words, first line 3; is the encoding right? Zo‰ (Zoâ as macintosh, Zoë as cp850)',
    );
    expect((await convert({ accounts }, words)).stderr).toContain('Xx‰ (Xxâ as macintosh, Xxë as cp850)');
    expect((await convert({ accounts }, [...SUPPLIER, '--encoding', 'cp850'])).stderr).not.toContain('symbols');
    const right = iconv.encode(`external_account_number,billing_name\n${rows}`, 'windows-1252');
    expect((await convert({ accounts: right }, words)).stderr).not.toContain('symbols');
    const asked = await convert({ accounts }, SUPPLIER);
    expect(asked.stderr).toContain('--encoding accounts=cp850 \\\n');
  });

  it('25.2.4 asks whether the encoding is right where a cell has control characters or lost ones', async () => {
    const accounts = Buffer.from('external_account_number,billing_name\nHV-1,J\x81rgen\n', 'latin1');
    const converted = await convert({ accounts }, [...SUPPLIER, '--encoding', 'windows-1252']);
    expect(converted.code).toBe(3);
    const said = converted.stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain('Is the encoding right? --encoding accounts= says it.');
    const lost = await convert({ accounts: accountsWith('billing_name', 'J\uFFFDrgen') }, SUPPLIER);
    expect(lost.stderr.replaceAll(/\s+/g, ' ')).toContain('(U+FFFD), perhaps by a wrong --encoding');
  });

  it('25.2.14 says what closed history without a last_billed_to_date means, in either spelling', async () => {
    const day = { transaction_id: 'F', transaction_date: '2026-01-05', type: 'PAYMENT', amount: '1.00' };
    const ledgers = JSON.stringify([{ historical_statement_transactions: [day] }]).replaceAll('"', '""');
    const accounts = ['external_account_number,ledgers', 'HV-1,', `HV-2,"${ledgers}"`, 'HV-3,', ''];
    const history = `external_account_number,${Object.keys(day)}\nHV-1,${Object.values(day)}\n`;
    const files = { accounts: accounts.join('\n'), 'historical-transactions': history };
    const converted = await convert(files, SUPPLIER);
    expect(converted.stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /line 2, column external_account_number: The value has historical_transactions, and no last_billed_to_date: its open statement period begins on the day on which it is created, .+ 1 more value like it\./,
    );
  });

  it('25.2.14 says once how many balances nothing checks, and how many transactions will be moved', async () => {
    const accounts = [
      'external_account_number,transfer_balance,last_statement_balance,last_billed_to_date',
      ...[
        'HV-1,1.00,,2026-01-31',
        'HV-2,2.00,2.00,2026-01-31',
        'HV-3,3.00,,',
        'HV-4,,,2026-01-31',
        'HV-5,2.00,,2026-01-31',
      ],
    ];
    const header = 'external_account_number,transaction_id,transaction_date,type,amount';
    const days = [
      'HV-1,A,2026-01-30',
      'HV-1,B,2026-01-31',
      'HV-2,C,2026-02-01',
      'HV-3,D,2026-01-01',
      'HV-4,E,2025-12-31',
    ];
    const files = {
      accounts: accounts.join('\n'),
      transactions: [header, ...days.map((row) => `${row},CHARGE,1.00`)].join('\n'),
      'historical-transactions': [header, 'HV-5,F,2026-01-05,CHARGE,1.00'].join('\n'),
    };
    const converted = await convert(files, SUPPLIER);
    expect([converted.code, await converted.book()]).toMatchObject([0, { length: 5 }]);
    const said = converted.stderr.replaceAll(/\s+/g, ' ');
    expect(said).not.toContain('no last_billed_to_date');
    expect(said).toMatch(
      /accounts\.csv line 2, column transfer_balance: The value has no last_statement_balance beside it: .+ 1 more value like it\. For example HV-1, HV-3\. transactions/,
    );
    expect(said).toMatch(
      /transactions\.csv line 2, column transaction_date: [^.]*unless it is one of historical_transactions\. 2 more values/,
    );
  });

  it('25.2.14 counts and names balances that differ from the last statement though no transaction explains it', async () => {
    const balances = ['-37.15,0.00', '5,5.00', '7.00,6.00', '1.00,0', '2.00,0', '3.00,0', ',0'];
    const header = 'external_account_number,transaction_id,transaction_date,type,amount';
    const files = {
      accounts: accountsWith('transfer_balance,last_statement_balance', ...balances),
      transactions: `${header}\nHV-3,A,2026-02-01,PAYMENT,1.00\n`,
      'historical-transactions': `${header}\nHV-4,B,2026-01-01,PAYMENT,1.00\n`,
    };
    const converted = await convert(files, SUPPLIER);
    expect(converted.code).toBe(0);
    const said = converted.stderr.replaceAll(/\s+/g, ' ');
    expect(said).toMatch(
      /accounts\.csv line 2, column transfer_balance: The value differs from the last_statement_balance, and no transaction explains it: .+ 2 more values like it\. For example HV-1, HV-5, HV-6\./,
    );
  });

  it('25.2.14 proposes to validate by the country of the first supply address, which needs no service', async () => {
    const header = 'external_account_number,customer_at_supply_address_from_date,supply_address.country';
    const points = [header, 'HV-1,2020-01-01,ES', 'HV-2,2020-01-01,FR', ''].join('\n');
    const { stdout } = await convert({ accounts: ACCOUNTS, 'supply-points': points });
    expect(stdout).toContain('causeway validate book.ndjson --country ES\n');
    expect(stdout).toContain('causeway validate book.ndjson --like-supplier HARBOUR-VALE\n');
    expect((await convert({ accounts: ACCOUNTS })).stdout).toContain('--country GB\n');
  });
});

describe('what is no record', () => {
  it.each([
    ['Total', 'Is a word that stands below a table'],
    ['Grand total:', 'Is a word that stands below a table'],
    ['EOF', 'Is a word that stands below a table'],
  ])('25.2.2 takes no %s for an account', async (number, sentence) => {
    const converted = await convert(
      { accounts: `external_account_number,billing_name\nHV-1,Zoë\n${number},1\nHV-2,Tom\n` },
      SUPPLIER,
    );
    expect(await converted.book()).toHaveLength(2);
    expect(converted.stderr.replaceAll(/\s+/g, ' ')).toContain(sentence);
  });

  it.each([
    ['Anzahl:;27365'],
    ['Summe;;60,00;'],
    ['Gesamt;;;60,00-'],
    ['Total: 3'],
    ['1201 Sätze'],
    ['*** ENDE DER LISTE ***;3 Sätze;SUMME;60,00'],
    ['Grand total;;;£60.00 CR', '(3 rows affected)'],
    ['99999999;ENDE 0000003 SAETZE'],
    ['Nombre de lignes : 3;;;'],
    ['TOTAL;3 ecritures;;'],
    ['TOTAL: 3 ecritures'],
  ])('25.2.2 leaves out %s below a table, and says so', async (...footers) => {
    const rows = ['external_account_number;billing_name;last_statement_balance;transfer_balance', 'HV-1;Total;1;2'];
    const content = [...rows, 'HV-2;Summe;3;4', ...footers, ''].join('\n');
    const converted = await convert({ accounts: content }, SUPPLIER);
    expect([converted.code, await converted.book()]).toMatchObject([0, [{}, {}]]);
    const lines = footers.map((_footer, index) => index + 4).join(', ');
    expect(converted.stderr).toContain(
      `${footers.length === 1 ? '1 line' : '2 lines'} below the table left out, on line ${lines}`,
    );
  });

  it('25.2.2 says the sum of a total below a table beside that of its column', async () => {
    const accounts = 'external_account_number,transfer_balance\nHV-1,2.50\nHV-2,4.00\nTotal,6.00\n';
    const converted = await convert({ accounts }, SUPPLIER);
    expect(converted.stderr).toContain('Line 4 says 6.00, and transfer_balance adds up to 6.50: not equal');
  });

  it('25.2.2 keeps a last row that begins with a total, and has more to say', async () => {
    const accounts = 'external_account_number,billing_name\nHV-1,Zoë\nTotal,2 Energies Ltd\n';
    const converted = await convert({ accounts }, SUPPLIER);
    expect([converted.code, converted.stderr]).toEqual([3, expect.stringContaining('stands below a table')]);
  });

  it('25.2.2 leaves out an account that is the sum of all others, whatever its word is', async () => {
    const rows = 'external_account_number,transfer_balance\nHV-1,10.10\nHV-2,-0.20\nHV-3,1\n';
    const converted = await convert({ accounts: `${rows}Samtliche,10.90\n` }, SUPPLIER);
    expect([converted.code, await converted.book()]).toMatchObject([0, [{}, {}, {}]]);
    expect(converted.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'accounts.csv line 5, column transfer_balance: The value is the sum of all others: its row is a total, and left out.',
    );
    const other = await convert({ accounts: `${rows}Samtliche,10.91\n` }, SUPPLIER);
    expect(await other.book()).toHaveLength(4);
  });

  it('25.2.2 takes a first row of values for no header, and shows none of them', async () => {
    const refused = await convert({ accounts: 'HV-1,Ann Smith,ann@example.org\nHV-2,Tom,tom@example.org\n' });
    expect(refused).toMatchObject(failure(2, 'accounts.csv seems to have no header: column 3 of its first row'));
    expect(refused.stderr).not.toMatch(/Ann|ann@/);
  });

  it('25.2.1 takes no file twice for one kind', async () => {
    const directory = await temporaryFolder();
    await writeFile(path.join(directory, 'a.csv'), ACCOUNTS);
    const words = ['convert', '--accounts', 'a.csv', './a.csv', '-o', 'book.ndjson'];
    expect(await causeway(words, { directory })).toMatchObject(failure(2, './a.csv is named twice.'));
  });
});

describe('rows without an account', () => {
  const accounts = 'external_account_number\n000123\nHV-2\nAB 9\n';

  it.each([
    ['123', '000123'],
    ['000123.0', '000123'],
    ['hv-2', 'HV-2'],
    ['AB9', 'AB 9'],
  ])(
    '25.2.7 says which account %s nearly is, does not write that either, and offers no next step',
    async (number, near) => {
      const customers = `external_account_number,given_name\n${number},Zoë\n`;
      const converted = await convert({ accounts, customers }, SUPPLIER);
      expect(converted.code).toBe(3);
      const numbers = (await converted.book()).map((line) => line.account.external_account_number);
      expect(numbers).toEqual(['000123', 'HV-2', 'AB 9'].filter((one) => one !== near));
      expect(converted.stdout).not.toContain('causeway validate');
      expect(converted.stdout).toContain('--leave-out-unmatched');
      if (!number.endsWith('.0')) expect(converted.stderr).toContain(`Nearly the same: ${near}.`);
      const decided = await convert({ accounts, customers }, [...SUPPLIER, '--leave-out-unmatched']);
      expect(await decided.book()).toHaveLength(3);
      expect(decided.stdout).toContain('causeway validate');
      expect(decided.code).toBe(0);
    },
  );
});

describe('what was rejected', () => {
  /** Runs the command that was printed below a line, in the folder of the run. */
  async function printed({ stdout, folder }: { stdout: string; folder: string }, heading: string) {
    const command = (stdout.split(heading)[1] ?? '').split(/\n(?! )/)[0] ?? '';
    return causeway(command.replaceAll('\\\n', ' ').trim().split(/\s+/).slice(1), { directory: folder });
  }
  const folderOf = ({ folder }: { folder: string }, name: string) => path.join(folder, 'book.ndjson.rejected', name);

  it('25.2.6 comes back by the printed command with the date formats that were judged', async () => {
    const rows = ['HV-1,01/02/2026,12.x', 'HV-2,01/31/2026,1.00'];
    const converted = await convert(
      { accounts: `external_account_number,last_billed_to_date,transfer_balance\n${rows.join('\n')}\n` },
      SUPPLIER,
    );
    const file = folderOf(converted, 'accounts.csv');
    await writeFile(file, (await readFile(file, 'utf8')).replace('12.x', '12.00'));
    expect(await printed(converted, 'Fix them there, then:')).toMatchObject({ code: 0 });
    const [fixed] = await linesOf(path.join(converted.folder, 'book-mended.ndjson'));
    expect(fixed).toMatchObject({ account: { last_billed_to_date: '2026-01-02', transfer_balance: '12.00' } });
  });

  it('25.2.6 a row that was not read whole stays rejected until it is copied again', async () => {
    const notes = 'external_account_number,external_id,body\nHV-1,N1,paid, thanks\n';
    const converted = await convert({ accounts: ACCOUNTS, notes });
    const file = folderOf(converted, 'notes.csv');
    const text = await readFile(file, 'utf8');
    expect(text).toContain('It is line 2 of notes.csv. Copy the row from there, and empty this cell.');
    expect(await printed(converted, 'Fix them there, then:')).toMatchObject({ code: 3 });
    await writeFile(file, `${text.split('\n')[0]}\nHV-1,N1,"paid, thanks",\n`);
    const fixed = await causeway(
      ['convert', '--accounts', folderOf(converted, 'accounts.csv'), '--notes', file, '-o', 'fixed.ndjson'],
      { directory: converted.folder },
    );
    expect(fixed).toMatchObject({ code: 0 });
  });

  it('25.2.7 rows that name no account keep the next step back, since they may be of any', async () => {
    const customers = 'given_name,external_account_number\nAnn,\nTom,HV-1\n';
    const converted = await convert({ accounts: ACCOUNTS, customers });
    expect(converted.code).toBe(3);
    expect(converted.stdout).toContain('1 row names no account');
    expect(converted.stdout).not.toContain('causeway validate');
    expect(converted.stdout).toContain('--leave-out-unmatched');
  });
});

describe('files of other forms', () => {
  it('25.2.4 reads NDJSON, a JSON array, a packed file and columns of fixed width', async () => {
    const directory = await temporaryFolder();
    const write = (name: string, content: string | Buffer) => writeFile(path.join(directory, name), content);
    await write('accounts.ndjson.gz', gzipSync('{"external_account_number":"HV-1","transfer_balance":12.10}\n'));
    await write('customers.json', '[{"external_account_number":"HV-1","given_name":"Zoë"}]');
    await write('notes.txt', `${'HV-1'.padEnd(8)}${'a note'.padEnd(12)}\n`);
    const words = ['--accounts', 'accounts.ndjson.gz', '--customers', 'customers.json', '--notes', 'notes.txt'];
    const widths = 'notes=external_account_number:1-8,body:9-20';
    const converted = await causeway(['convert', ...words, '--fixed-width', widths, ...SUPPLIER, '-o', 'book.ndjson'], {
      directory,
    });
    expect([converted.code, converted.stderr]).toEqual([0, expect.any(String)]);
    expect(await linesOf(path.join(directory, 'book.ndjson'))).toEqual([
      {
        account: { ...account('HV-1'), transfer_balance: '12.10', customers: [{ given_name: 'Zoë' }] },
        notes: [{ body: 'a note' }],
      },
    ]);
  });
});
