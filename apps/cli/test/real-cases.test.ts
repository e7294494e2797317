import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { causeway, temporaryFolder } from './support/causeway.ts';
import { convert, type Files, linesOf } from './support/convert.ts';
import { workbookFiles, zip } from './support/extract.ts';

const NUMBERS = 'external_account_number\nHV-1\nHV-2\n';
const ADDRESS =
  'external_account_number,customer_at_supply_address_from_date,supply_address1,supply_postcode,meter_points.supply_type,meter_points.identifier';
const METER = `${ADDRESS},meter_points.meters.meter_serial_number`;
const AT_HOME = '2019-04-01,12 Alder Row,LS1 4AP,ELECTRICITY';
const CUT = 'A spreadsheet has cut this number: export it as text.';
const MADE_DECIMAL = 'A spreadsheet has put .0 behind this number: export it as text.';
const JOIN = 'leave the places out of the headers';

/** Accounts with more columns, a cell of each account. */
const accounts = (columns: string, ...cells: string[]) =>
  `external_account_number,${columns}\n${cells.map((cell, index) => `HV-${index + 1},${cell}\n`).join('')}`;
const rows = (header: string, ...cells: string[]) => `${[`external_account_number,${header}`, ...cells].join('\n')}\n`;
const SUPPLIER = ['--supplier', 'HARBOUR-VALE'];
const named = (...names: string[]) => names.map((billing_name) => ({ account: { billing_name } }));

/** A file that people have, and what comes of it. */
interface Case {
  /** The case's id first. */
  title: string;
  files: Files;
  words?: readonly string[];
  /** 0 unless given; 2 asks, 3 has rejected rows. */
  code?: number;
  /** The lines of the book, in part; none where the command asks. */
  book?: readonly object[];
  /** Where it is not given, nothing is remarked. */
  says?: readonly string[];
}

/** Converts the files as a user does, and expects what the case expects. */
async function holds({ files, words = [], code = 0, book = [], says }: Case): Promise<void> {
  const converted = await convert(files, [...SUPPLIER, ...words]);
  const said = converted.stderr.replaceAll(/\s+/g, ' ');
  for (const sentence of says ?? []) expect(said).toContain(sentence);
  if (says === undefined) expect(said).not.toContain('The value');
  expect(converted.code).toBe(code);
  if (book.length > 0) expect(await converted.book()).toMatchObject(book);
}

/** What the validation of a book tells. */
async function problemsOf(folder: string, words: readonly string[] = []) {
  const { json } = await causeway(['validate', 'book.ndjson', '--json', ...words], { directory: folder });
  return json().problems.map(({ code, attr, accounts: times }: Record<string, unknown>) => [code, attr, times]);
}

describe('25.2.4 encodings', () => {
  const MIXED = Buffer.concat([
    Buffer.from(accounts('billing_name', 'Siân O’Brien')),
    Buffer.from('HV-2,Zo\xEB\n', 'latin1'),
  ]);
  const GERMAN = ['billing_name;transfer_balance;last_billed_to_date', 'HV-1;Jürgen;-1.048,20;31.10.2026'];

  it.each<Case>([
    {
      title: 'E01 a file of two encodings is refused, with a line of each',
      files: { accounts: MIXED },
      code: 2,
      says: ['accounts.csv is not UTF-8: line 3', 'but line 2 is UTF-8', '--encoding accounts=utf-8,windows-1252'],
    },
    {
      title: 'E01 a file of two encodings is read line by line where both are given',
      files: { accounts: MIXED },
      words: ['--encoding', 'utf-8,windows-1252'],
      book: named('Siân O’Brien', 'Zoë'),
      says: ['As utf-8, windows-1252: Xxë'],
    },
    {
      title: 'E05 UTF-16 of Excel',
      files: { accounts: Buffer.from(`\uFEFF${accounts('billing_name', 'Zoë').replaceAll(',', '\t')}`, 'utf16le') },
      book: named('Zoë'),
    },
    {
      title: 'E08 a byte order mark before CSV, and before NDJSON',
      files: {
        accounts: `\uFEFF${accounts('billing_name', 'Zoë')}`,
        customers: '\uFEFF{"external_account_number":"HV-1","given_name":"Zoë"}\n',
      },
      book: [{ account: { billing_name: 'Zoë', customers: [{ given_name: 'Zoë' }] } }],
    },
    {
      title: 'E11 accounts of Germany and France: semicolons, decimal commas, days with points, Windows-1252',
      files: {
        accounts: Buffer.from(`external_account_number;${GERMAN.join('\n')}\nHV-2;Élodie;0,50;01.11.2026\n`, 'latin1'),
      },
      words: ['--encoding', 'windows-1252', '--decimal-comma'],
      book: [
        { account: { billing_name: 'Jürgen', transfer_balance: '-1048.20', last_billed_to_date: '2026-10-31' } },
        { account: { billing_name: 'Élodie', transfer_balance: '0.50', last_billed_to_date: '2026-11-01' } },
      ],
      says: ['Guessed: cells separated by ;, dates DD.MM.YYYY'],
    },
  ])('$title', holds);

  it.each([
    ['E02', 'windows-1250', 'Łukasz Wójcik', 'Żaneta Śliwińska'],
    ['E10', 'windows-1251', 'Иван Петров', 'Анна'],
    ['E10', 'windows-1253', 'Γιώργος', 'Ελένη'],
    ['E10', 'gb18030', '王小明', '李娜'],
    ['E10', 'macintosh', 'Müller', 'Zoë'],
  ])('%s %s is asked for, and read where a flag says so', async (_id, encoding, ...names) => {
    const files = { accounts: iconv.encode(accounts('billing_name', ...names), encoding) };
    await holds({
      title: '',
      files,
      code: 2,
      says: ['accounts.csv is not UTF-8: line 2', `--encoding accounts=${encoding}`],
    });
    await holds({ title: '', files, words: ['--encoding', encoding], book: named(...names) });
  });

  it('E08 a byte order mark before a book, and before a manifest of CSV', async () => {
    const directory = await temporaryFolder();
    const line = {
      account: { import_supplier: 'HARBOUR-VALE', external_account_number: 'HV-1', unknown_occupier: true },
    };
    await writeFile(path.join(directory, 'book.ndjson'), `\uFEFF${JSON.stringify(line)}\n`);
    await writeFile(path.join(directory, 'm.csv'), '\uFEFFexternal_account_number,notes\nHV-1,2\n');
    expect((await causeway(['validate', 'book.ndjson', '--json'], { directory })).json()).toMatchObject({ lines: 1 });
    expect((await causeway(['manifest', 'check', 'm.csv', '--json'], { directory })).json()).toMatchObject({
      ...{ accounts: 1, wrong_lines: 0, totals: { notes: 2 } },
    });
  });

  it('E07 names that were broken before are told by convert and by validate', async () => {
    const files = {
      accounts: accounts('billing_name', 'SiÃ¢n', 'Ren\uFFFDe'),
      customers: rows('family_name', 'HV-1,Roe', 'HV-2,Doe'),
    };
    const says = ['looks as if UTF-8 had been read as Windows-1252', 'characters that were lost when it was decoded'];
    await holds({ title: '', files, book: named('SiÃ¢n', 'Ren\uFFFDe'), says });
    const { folder } = await convert(files, SUPPLIER);
    expect(await problemsOf(folder)).toEqual([['wrongly_decoded_text', 'billing_name', 2]]);
  });
});

describe('25.2.3 25.2.5 values that were damaged', () => {
  it.each<Case>([
    {
      title: 'M01 numbers with .0 behind them are rejected',
      files: {
        accounts: 'external_account_number\n10023.0\nHV-2\nHV-3\n',
        customers: rows('user_identifier', 'HV-3,881.0'),
        'supply-points': `${ADDRESS}\nHV-2,${AT_HOME},1200023305967.0\n`,
      },
      code: 3,
      says: [
        `accounts.csv line 2, column external_account_number: ${MADE_DECIMAL}`,
        `customers.csv line 2, column user_identifier: ${MADE_DECIMAL}`,
        `supply-points.csv line 2, column meter_points.identifier: ${MADE_DECIMAL}`,
      ],
    },
    {
      title: 'M03 numbers that a spreadsheet has cut are rejected',
      files: {
        accounts: 'external_account_number\n1.2E+12\n1.20002E+12\n"1,2E+12"\nHV-4\n',
        'supply-points': `${ADDRESS}\nHV-4,${AT_HOME},5.41449E+17\n`,
      },
      code: 3,
      says: [
        `accounts.csv line 2, column external_account_number: ${CUT} Value: 9.9X+99. Account 1.2E+12. 2 more rows like it.`,
        `supply-points.csv line 2, column meter_points.identifier: ${CUT}`,
      ],
    },
    {
      title: 'M05 zeros behind the fifteenth digit are told',
      files: { accounts: NUMBERS, 'supply-points': `${ADDRESS}\nHV-1,${AT_HOME},541448820000000000\n` },
      book: [{ account: { supply_addresses: [{ meter_points: [{ identifier: '541448820000000000' }] }] } }, {}],
      says: ['meter_points.identifier: The value is fifteen digits with zeros behind'],
    },
    {
      title: 'M10 postcodes keep their zeros',
      files: {
        accounts: accounts(
          'billing_address.country,billing_address.postal_code',
          'US,02138',
          'AU,0800',
          'NZ,0110',
          'DE,01067',
        ),
      },
      book: ['02138', '0800', '0110', '01067'].map((postal_code) => ({
        account: { billing_address: { postal_code } },
      })),
    },
    {
      title: 'M11 000123 and 123 are two accounts',
      files: {
        accounts: 'external_account_number\n000123\n123\n',
        customers: rows('given_name', '123,Tom', '000123,Zoë'),
      },
      book: [{ account: { customers: [{ given_name: 'Zoë' }] } }, { account: { customers: [{ given_name: 'Tom' }] } }],
    },
    {
      title: 'M13 a number without its zero is kept',
      files: { accounts: 'external_account_number\nHV-1\n', customers: rows('landline', 'HV-1,7700900123') },
      book: [{ account: { customers: [{ landline: '7700900123' }] } }],
    },
    {
      title: 'M14 words in place of what is missing are told, and what formulas come to is rejected',
      files: {
        accounts: NUMBERS,
        customers: rows('given_name,family_name', 'HV-1,None,nan', 'HV-2,#N/A,#REF!'),
        'supply-points': `${ADDRESS}\nHV-1,${AT_HOME},nan\n`,
      },
      code: 3,
      book: [{ account: { customers: [{ given_name: 'None', family_name: 'nan' }] } }],
      says: [
        ...['given_name', 'family_name', 'meter_points.identifier'].map(
          (column) => `line 2, column ${column}: The value is a word that programs write for nothing`,
        ),
        'column given_name: A formula of a spreadsheet came to #N/A',
        'column family_name: A formula of a spreadsheet came to #REF!',
      ],
    },
  ])('$title', holds);

  it('M09 postcodes that lost their zeros are told, by convert where it knows the country, and by validate', async () => {
    const files = {
      accounts: accounts('billing_address.country,billing_address.postal_code', 'DE,1067', 'AU,800', 'US,2138'),
      customers: rows('family_name', 'HV-1,Roe', 'HV-2,Doe', 'HV-3,Poe'),
      'supply-points': `${ADDRESS.split(',meter_points')[0]}\nHV-1,2019-04-01,Weg 1,1067\n`,
    };
    const says = ['DE have 5', 'AU have 4', 'US have 5'].map((of) => `postcodes of ${of}: zeros in front may be lost`);
    await holds({ title: '', files, says });
    const { folder } = await convert(files, SUPPLIER);
    expect(await problemsOf(folder, ['--country', 'DE'])).toEqual([
      ['unlikely_postcode', 'billing_address.postal_code', 3],
      ['unlikely_postcode', 'supply_addresses.*.supply_postcode', 1],
    ]);
  });
});

describe('25.2.2 25.2.3 headers and the shape of files', () => {
  const SHEET = [
    ['external_account_number', 'billing_name'],
    ['HV-1', 'Zoë'],
  ].map((cells) => `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`);
  const MAY = ['Accounts as of May,', ...accounts('billing_name', 'Zoë', 'Tom').trim().split('\n')];

  it.each<Case>([
    ...[
      'External Account Number,Billing Name',
      'EXTERNAL_ACCOUNT_NUMBER,BILLING_NAME',
      'external-account-number,billing-name',
      ' ExternalAccountNumber , billingName ',
    ].map((header) => ({
      title: `S01 the header ${header}`,
      files: { accounts: `${header}\nHV-1,Zoë\n` },
      book: named('Zoë'),
    })),
    {
      title: 'S04 empty columns behind the others are left out',
      files: { accounts: accounts('billing_name,,', 'Zoë,,') },
      book: named('Zoë'),
      says: ['2 empty columns without a header left out'],
    },
    {
      title: 'S07 a title above the header is asked about',
      files: { accounts: `${MAY.join('\n')}\n` },
      code: 2,
      says: ['accounts.csv may have its header on line 2', '--header-line accounts=2'],
    },
    {
      title: 'S07 rows below the table are no accounts',
      files: { accounts: `${[...MAY, 'Total,2,,', '(2 rows affected)'].join('\n')}\n` },
      words: ['--header-line', '2'],
      book: named('Zoë', 'Tom'),
      says: ['2 lines below the table left out, on line 5, 6'],
    },
    {
      title: 'S10 rows with broken quotes are rejected, and the others are read',
      files: {
        accounts: accounts(
          'billing_name',
          ...[
            '7" Pipe Works',
            'The "Red" Lion',
            '"The \\"Red\\" Lion"',
            '"never closed',
            'one,two',
            '"The ""Red"" Lion"',
          ],
        ),
      },
      code: 3,
      book: named('The "Red" Lion'),
      says: [
        'accounts.csv line 2: A quote stands within a cell.',
        'Account HV-1. 2 more rows like it.',
        'accounts.csv line 5: A quote that opens here is not closed.',
        'accounts.csv line 6: Has 3 cells, and the header has 2.',
      ],
    },
    {
      title: 'S11 a line break within a cell is rejected where it may not be',
      files: { accounts: accounts('billing_address1', '"1 Mill\nLane"', 'Tom') },
      code: 3,
      book: [{ account: { external_account_number: 'HV-2' } }],
      says: ['accounts.csv line 2, column billing_address1: Must not contain control, invisible'],
    },
    { title: 'S12 a workbook', files: { accounts: zip(workbookFiles({ May: SHEET.join('') })) }, book: named('Zoë') },
  ])('$title', holds);

  it('S08 padding is left out of what may not have it and of all names of things, and told', async () => {
    const meter = 'meter_point_identifier,meter_serial_number,register_id';
    const converted = await convert(
      {
        accounts: rows('billing_name', 'HV-1   ,Zoë   '),
        customers: rows('family_name,email', 'HV-1,Roe ,a@b.example   ', 'HV-1,Doe, b@b.example'),
        'supply-points': `${METER}\nHV-1   ,2019-04-01,12 Alder Row,LS1 4AP ,ELECTRICITY,1200023305967 ,S1   \n`,
        registers: rows(meter, 'HV-1   ,1200023305967 ,S1   ,R1        '),
        readings: rows(`${meter},reading_date,reading_value`, 'HV-1   ,1200023305967 ,S1   ,R1        ,2026-01-01 ,5 '),
        transactions: rows(
          'transaction_id,transaction_date,type,amount,reason,reverses',
          ...['HV-1   ,T1  ,2026-01-01,CHARGE ,10.00,OLD ,', 'HV-1   ,T2  ,2026-01-02,CREDIT ,10.00,OLD ,T1  '],
        ),
        statements: rows('statement_id,bill_period_from_date,bill_period_to_date', 'HV-1,B1  ,2025-11-01,2025-11-30'),
      },
      SUPPLIER,
    );
    expect([converted.code, converted.stderr]).toEqual([
      0,
      expect.stringMatching(/column email: The value had spaces around it, which are left out\.\s+1 more value/),
    ]);
    const [{ account, transactions, statements }] = await converted.book();
    expect(account).toMatchObject({
      ...{ external_account_number: 'HV-1', billing_name: 'Zoë   ' },
      customers: [{ family_name: 'Roe ', email: 'a@b.example' }, { email: 'b@b.example' }],
    });
    const meters = [{ meter_serial_number: 'S1', registers: [{ register_id: 'R1' }], transfer_readings: [{}] }];
    const point = { identifier: '1200023305967', meters };
    expect(account.supply_addresses).toMatchObject([{ supply_postcode: 'LS1 4AP', meter_points: [point] }]);
    expect(transactions).toMatchObject([{ transaction_id: 'T1' }, { transaction_id: 'T2', reverses: 'T1' }]);
    expect(statements).toMatchObject([{ statement_id: 'B1' }]);
    const refused = (await causeway(['validate', 'book.ndjson', '--json'], { directory: converted.folder })).json();
    expect(refused).toMatchObject({ lines: 1, refused: 0 });
  });

  it('S02 S03 25.2.11 25.2.12 headers of another system become a mapping, which reads the file of every week', async () => {
    const directory = await temporaryFolder();
    const week = (number: string, name: string) =>
      `AccountID,FirstName,LastName,Email,BillingStreet\n${number},${name},Roe,${name}@example.org,12 Alder Row\n`;
    await writeFile(path.join(directory, 'export.csv'), week('A-1', 'Ann'));
    const mapped = await causeway(['map', 'export.csv', '-o', 'mapping.sql', '--country', 'GB'], { directory });
    expect([mapped.code, mapped.stderr]).toEqual([0, expect.any(String)]);
    for (const [number, name] of [
      ['A-1', 'Ann'],
      ['A-2', 'Bob'],
    ] as const) {
      await writeFile(path.join(directory, 'export.csv'), week(number, name));
      const words = ['convert', 'export.csv', '--mapping', 'mapping.sql', ...SUPPLIER, '-o', 'book.ndjson', '--yes'];
      expect(await causeway(words, { directory })).toMatchObject({ code: 0 });
      const customers = [{ given_name: name, family_name: 'Roe', email: `${name}@example.org` }];
      expect(await linesOf(path.join(directory, 'book.ndjson'))).toMatchObject([
        { account: { external_account_number: number, billing_address1: '12 Alder Row', customers } },
      ]);
    }
  });
});

describe('25.2.5 amounts, dates and times', () => {
  const AMOUNTS = ['48.20-', '(48.20)', '£48.20', '\u221248.20', '+48.20'];
  const balances = (...all: string[]) => all.map((transfer_balance) => ({ account: { transfer_balance } }));
  const UNTIL = 'customer_at_supply_address_from_date,customer_at_supply_address_to_date,supply_address1';
  const ENDS = ['9999-12-31', '2999-12-31'];
  const OPEN = {
    accounts: NUMBERS,
    'supply-points': rows(UNTIL, ...ENDS.map((day, index) => `HV-${index + 1},2019-04-01,${day},12 Alder Row`)),
  };
  const PRECISE = {
    accounts: NUMBERS,
    notes: rows('created_at,body', 'HV-1,2025-01-01 10:00:00.123,x', 'HV-2,2025-01-01 10:00:00.1234567,y'),
  };

  it.each<Case>([
    {
      title: 'S14 amounts with signs before, behind and around them',
      files: { accounts: accounts('transfer_balance', ...AMOUNTS) },
      book: balances('-48.20', '-48.20', '48.20', '-48.20', '48.20'),
      says: ['had a currency, which is left out'],
    },
    {
      title: 'S14 an amount in credit asks on which side that is',
      files: { accounts: accounts('transfer_balance', '48.20 CR') },
      code: 3,
      says: ['give --credit accounts=negative or --credit accounts=positive'],
    },
    {
      title: 'S14 an amount in credit, where a flag says the side',
      files: { accounts: accounts('transfer_balance', '48.20 CR') },
      words: ['--credit', 'accounts=negative'],
      book: balances('-48.20'),
      says: [],
    },
    ...[
      ['01-Nov-26', 'DD-MMM-YY', '2026-11-01'],
      ['01-NOV-76', 'DD-MON-RR', '1976-11-01'],
      ['01.11.26', 'DD.MM.YY', '2026-11-01'],
    ].flatMap(([text = '', format = '', last_billed_to_date]) => [
      {
        title: `S16 ${text} asks for the century`,
        files: { accounts: accounts('last_billed_to_date', text) },
        code: 2,
        says: ['the year has two digits'],
      },
      {
        title: `S16 ${text} is read as ${format}`,
        files: { accounts: accounts('last_billed_to_date', text) },
        words: ['--date-format', format],
        book: [{ account: { last_billed_to_date } }],
      },
    ]),
    {
      title: 'S17 03/04/2024 is asked about',
      files: { accounts: accounts('last_billed_to_date', '03/04/2024') },
      code: 2,
      says: ['may be read as DD/MM/YYYY or as MM/DD/YYYY. Say which', '--date-format accounts=DD/MM/YYYY'],
    },
    {
      title: 'S18 fractions of a second, and the zone, are asked about at once',
      files: PRECISE,
      code: 2,
      says: ['--time-zone notes=Europe/London \\ --cut-fractions notes'],
    },
    {
      title: 'S18 fractions of a second are cut by a flag',
      files: PRECISE,
      words: ['--time-zone', 'Europe/London', '--cut-fractions'],
      book: [{}, {}].map(() => ({ notes: [{ created_at: '2025-01-01T10:00:00Z' }] })),
    },
    {
      title: 'S21 ends that are none are rejected, with the flag',
      files: OPEN,
      code: 3,
      says: ENDS.map((day) => `leave the cell empty, or give --empty-text '${day}'`),
    },
    {
      title: 'S21 several texts may stand for an open end',
      files: OPEN,
      words: ENDS.flatMap((day) => ['--empty-text', day]),
      book: [{}, {}].map(() => ({ account: { supply_addresses: [{ supply_address1: '12 Alder Row' }] } })),
    },
    {
      title: 'S24 fifty half hours of the day on which clocks go back',
      files: {
        accounts: NUMBERS,
        transactions: rows('transaction_id,transaction_date,type,amount', 'HV-1,T1,2026-10-26,SUPPLY_CHARGE,-1.00'),
        'line-items': rows(
          'transaction_id,start_date,end_date,number_of_units,net_amount,units',
          `HV-1,T1,2026-10-25,2026-10-25,27.25,1.00,"[${Array.from({ length: 50 }, (_, index) => `""0.${index + 10}""`)}]"`,
        ),
      },
      book: [
        {
          transactions: [{ line_items: [{ units: Array.from({ length: 50 }, (_, index) => `0.${index + 10}`) }] }],
        },
        {},
      ],
    },
  ])('$title', holds);
});

describe('25.2.3 25.2.10 rows that are parts of others', () => {
  const READING = 'transfer_readings.reading_date,transfer_readings.reading_value';
  const readingColumns = READING.split(',').map((column) => `meter_points.meters.${column}`);
  const placed = [METER, ...readingColumns].join(',').replaceAll(/(points|meters|readings)\./g, '$1.0.');
  const reading = (day: string, value: string) => `HV-1,${AT_HOME},1200023305967,S1,${day},${value}`;
  const three = ['2026-01-01', '2026-02-01', '2026-03-01'].map((day, index) => reading(day, `${index + 1}0`));
  const points = (...lines: string[]) => ({ accounts: NUMBERS, 'supply-points': `${lines.join('\n')}\n` });
  const joined = [METER, ...readingColumns].join(',');
  const readInto = (meter: object, ...transfer_readings: object[]) => [
    { account: { supply_addresses: [{ meter_points: [{ meters: [{ ...meter, transfer_readings }] }] }] } },
    {},
  ];
  const charge = 'transaction_id,transaction_date,type,amount';
  const line = ['line_items.start_date', 'line_items.end_date', 'line_items.number_of_units', 'line_items.net_amount'];
  const twoLines = ['2025-12-01,2025-12-31,1,4.00', '2026-01-01,2026-01-31,2,6.00'].map(
    (cells) => `HV-1,T1,2026-02-01,SUPPLY_CHARGE,-10.00,${cells}`,
  );
  const lines = (columns: readonly string[]) => ({
    accounts: NUMBERS,
    transactions: rows([charge, ...columns].join(','), ...twoLines),
  });
  const at = (day: string, more: string) => ({
    ...points(METER, `HV-1,${AT_HOME},1200023305967,S1`),
    readings: rows(
      'meter_point_identifier,register_id,reading_value,reading_quality,reading_date,reading_at',
      `HV-1,1200023305967,1,5,ACTUAL,${day},${more}`,
    ),
  });

  it.each<Case>([
    {
      title: 'T01 a row a reading becomes one meter with all of its readings',
      files: points(joined, ...three),
      book: readInto(
        { meter_serial_number: 'S1' },
        { reading_value: '10' },
        { reading_value: '20' },
        { reading_value: '30' },
      ),
    },
    {
      title: 'T01 a reading that says the same twice is rejected',
      files: points(joined, ...three, three[0] ?? ''),
      code: 3,
      says: ['supply-points.csv line 5: Says the same as supply-points.csv line 2.'],
    },
    {
      title: 'T01 a row a reading with the places of a row an address is rejected, with the header that would do',
      files: points(placed, ...three),
      code: 3,
      says: [`${JOIN}: meter_points.identifier`],
    },
    {
      title: 'T02 a reading keeps its time, register and quality',
      files: at('2026-01-01', '2026-01-01T23:30:00Z'),
      book: readInto(
        {},
        {
          ...{ register_id: '1', reading_date: '2026-01-01', reading_at: '2026-01-01T23:30:00Z' },
          ...{ reading_value: '5', reading_quality: 'ACTUAL' },
        },
      ),
    },
    {
      title: 'T02 a time in place of the day is rejected, with the column that keeps it',
      files: at('2026-01-01T23:30:00Z', ''),
      code: 3,
      says: ['column reading_date: Must be a day, such as 2026-04-05, without a time.', 'has the column reading_at'],
    },
    {
      title: 'T05 a row a line becomes one charge with all of its lines',
      files: lines(line),
      book: [{ transactions: [{ line_items: [{ net_amount: '4.00' }, { net_amount: '6.00' }] }] }, {}],
    },
    {
      title: 'T05 a row a line with the places of a row a charge is rejected, with the header that would do',
      files: lines(line.map((column) => column.replace('.', '.0.'))),
      code: 3,
      says: ['transactions.csv line 3: Says the same as transactions.csv line 2, but for its lines.', JOIN],
    },
  ])('$title', holds);
});
