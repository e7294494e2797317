import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { linesOf } from './support/convert.ts';

const FILES = {
  'CUSTOMERS_2026.csv': 'CustNo;Name;Bal;Since\n000123;Zoë;48.20-;03-APR-19\n000456;Tom;1,234.50;04-MAY-21\n',
  'bills.csv':
    'cust,ref,day,net,vat\n123,T1,2026-01-05,0.10,0.02\n123,T2,2026-02-05,0.20,0.04\n456,T3,2026-01-05,7.00,1.40\n',
};
const ACCOUNTS = `CREATE TEMP VIEW accounts AS SELECT CustNo AS external_account_number, 'HARBOUR-VALE' AS import_supplier,
  Name AS billing_name, to_money(Bal) AS transfer_balance, _file, _line FROM main.customers_2026;`;
const TRANSACTIONS = `CREATE TEMP VIEW transactions AS SELECT pad(cust, 6) AS external_account_number, ref AS transaction_id,
  day AS transaction_date, 'PAYMENT' AS type, add_money(net, vat) AS amount FROM main.bills;`;
const MANIFEST = `CREATE TEMP VIEW manifest AS SELECT pad(cust, 6) AS external_account_number,
  count(*) AS "by_type.PAYMENT.count", sum_money(add_money(net, vat)) AS "by_type.PAYMENT.amount" FROM main.bills GROUP BY 1;`;

/** Converts the files by a mapping, in a folder of their own. */
async function mapped(
  sql: string,
  { files = FILES, words = [] }: { files?: Record<string, string>; words?: string[] } = {},
) {
  const directory = await temporaryFolder();
  for (const [name, text] of Object.entries({ ...files, 'mapping.sql': sql })) {
    await writeFile(path.join(directory, name), text);
  }
  const command = ['convert', ...Object.keys(files), '--mapping', 'mapping.sql', '-o', 'book.ndjson', ...words];
  const ended = await causeway(command, { directory });
  return { ...ended, directory, book: () => linesOf(path.join(directory, 'book.ndjson')) };
}

describe('causeway convert --mapping', () => {
  it('25.2.11 makes the views of a mapping into a book, and its manifest from the figures of the source', async () => {
    const converted = await mapped([ACCOUNTS, TRANSACTIONS, MANIFEST].join('\n'));
    expect([converted.code, converted.stderr]).toEqual([0, expect.any(String)]);
    expect(await converted.book()).toMatchObject([
      {
        account: { external_account_number: '000123', billing_name: 'Zoë', transfer_balance: '-48.20' },
        transactions: [{ amount: '0.12' }, { amount: '0.24' }],
      },
      { account: { transfer_balance: '1234.50' }, transactions: [{ amount: '8.40' }] },
    ]);
    expect(await linesOf(path.join(converted.directory, 'book.manifest.ndjson'))).toEqual([
      { external_account_number: '000123', by_type: { PAYMENT: { count: 2, amount: '0.36' } } },
      { external_account_number: '000456', by_type: { PAYMENT: { count: 1, amount: '8.40' } } },
    ]);
    expect(converted.stdout).toContain('book.manifest.ndjson');
    expect((await readdir(converted.directory)).sort()).toEqual(
      ['CUSTOMERS_2026.csv', 'bills.csv', 'book.manifest.ndjson', 'book.ndjson', 'mapping.sql'].sort(),
    );
  });

  it('25.2.11 a value that a function cannot read rejects its account, with the place that the view tells', async () => {
    const files = { ...FILES, 'CUSTOMERS_2026.csv': FILES['CUSTOMERS_2026.csv'].replace('48.20-', '48.2O') };
    const converted = await mapped([ACCOUNTS, TRANSACTIONS].join('\n'), { files });
    expect(converted.code).toBe(3);
    expect(await converted.book()).toHaveLength(1);
    const said = converted.stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain('CUSTOMERS_2026.csv line 2, column transfer_balance: to_money cannot read it.');
    expect(said).toContain('Value: 99.9X.');
    const rejected = path.join(converted.directory, 'book.ndjson.rejected');
    const rows = await readFile(path.join(rejected, 'accounts.csv'), 'utf8');
    expect(rows).toContain('000123,HARBOUR-VALE,Zoë,48.2O,');
    expect(rows).toContain('The cell has the text of the source: write the value itself, such as 2026-01-31 or 48.20.');
    expect(converted.stdout).toContain('Its values are as the views of mapping.sql wrote them. Fix them there, then:');
    const printed = converted.stdout.slice(converted.stdout.indexOf('causeway convert') + 'causeway '.length);
    const command = (printed.split('Or fix')[0] ?? '').replaceAll('\\\n', ' ').trim().split(/\s+/);
    expect(command).not.toContain('--mapping');
    await writeFile(path.join(rejected, 'accounts.csv'), rows.replace('48.2O', '-48.20'));
    expect(await causeway(command, { directory: converted.directory })).toMatchObject({ code: 0 });
    expect(await linesOf(path.join(converted.directory, 'book-mended.ndjson'))).toMatchObject([
      { account: { external_account_number: '000123', transfer_balance: '-48.20' }, transactions: [{}, {}] },
    ]);
  });

  it('25.2.6 a computed number that is not fixed in the folder of rejected rows is rejected again', async () => {
    const rounded = TRANSACTIONS.replace('add_money(net, vat)', "iif(ref = 'T1', 0.1 + 0.2, net)");
    const converted = await mapped([ACCOUNTS, rounded].join('\n'));
    expect(converted).toMatchObject({ code: 3, stdout: expect.stringContaining('Fix them there') });
    const again = ['--accounts', 'accounts.csv', '--transactions', 'transactions.csv', '-o', 'book.ndjson'];
    const directory = path.join(converted.directory, 'book.ndjson.rejected');
    expect(await causeway(['convert', ...again], { directory })).toMatchObject({ code: 3 });
  });

  it('25.2.4 asks for the encodings of all files at once, in one command that reads them', async () => {
    const directory = await temporaryFolder();
    const lines = (name: string) => Buffer.from(`cust,name\n123,${name}\n`, 'latin1');
    await writeFile(path.join(directory, 'one.csv'), lines('Zo\xEB'));
    await writeFile(path.join(directory, 'the other.csv'), lines('J\xFCrgen'));
    const view = (name: string, table: string) =>
      `CREATE TEMP VIEW ${name} AS SELECT cust AS external_account_number, name AS ${name === 'accounts' ? 'billing_name' : 'body'} FROM main.${table};`;
    await writeFile(path.join(directory, 'm.sql'), `${view('accounts', 'one')}${view('notes', 'the_other')}`);
    const words = ['one.csv', 'the other.csv', '--mapping', 'm.sql', '--supplier', 'HARBOUR-VALE', '-o', 'b.ndjson'];
    const asked = await causeway(['convert', ...words], { directory });
    expect(asked).toMatchObject(failure(2, 'one.csv is not UTF-8: line 2'));
    expect(asked.stderr).toContain('the other.csv is not UTF-8: line 2');
    const flags = [...asked.stderr.matchAll(/^ {4}--encoding (?:'(.+)'|(\S+)) \\$/gm)].map(
      ([, one, other]) => one ?? other,
    );
    expect(flags).toEqual(['one.csv=windows-1252', 'the other.csv=windows-1252']);
    const all = flags.flatMap((flag) => ['--encoding', flag ?? '']);
    const read = await causeway(['convert', ...words, '--keep-undocumented', ...all], { directory });
    expect((await linesOf(path.join(directory, 'b.ndjson')))[0]).toMatchObject({ account: { billing_name: 'Zoë' } });
    expect(read.code).toBe(0);
    const answers = ['--encoding one.csv=windows-1252', "--encoding 'the other.csv=windows-1252'"];
    const again = (command: string, ...parts: string[]) => [`  causeway ${command}`, ...parts].join(' \\\n    ');
    const mapped = await causeway(['map', 'one.csv', 'the other.csv', '--country', 'GB'], { directory });
    const files = "one.csv 'the other.csv'";
    expect(mapped.stderr).toContain(again('map', files, '--country GB', '--output mapping.sql', ...answers));
    const check = ['map', 'check', 'm.sql', 'one.csv', 'the other.csv', '--supplier', 'HARBOUR-VALE'];
    const checked = await causeway(check, { directory });
    expect(checked.stderr).toContain(again('map check', `m.sql ${files}`, '--supplier HARBOUR-VALE', ...answers));
  });

  it('25.2.11 a value that cannot be read rejects a whole object too, and a BLOB is no text', async () => {
    const whole = `CREATE TEMP VIEW notes AS SELECT json_object('external_account_number', pad(cust, 6), 'body',
      'Owes ' || to_money(ref)) AS json FROM main.bills WHERE cust = '123';`;
    const object = await mapped([ACCOUNTS, whole].join('\n'));
    expect(object).toMatchObject({ code: 3, stderr: expect.stringContaining('to_money cannot read a value in it') });
    expect(await object.book()).toHaveLength(1);
    const real = await mapped([ACCOUNTS, whole.replace("'Owes ' || to_money(ref)", '0.1 + 0.2')].join('\n'));
    expect(real).toMatchObject({ code: 3, stderr: expect.stringContaining('Has a number with a fraction.') });
    const blob = await mapped([ACCOUNTS, TRANSACTIONS.replace('add_money(net, vat)', 'CAST(net AS BLOB)')].join('\n'));
    expect(blob).toMatchObject({ code: 3, stderr: expect.stringContaining('Is a BLOB, not text') });
    const large = ACCOUNTS.replace('Name AS', "CAST('987654321012345678' AS INTEGER) AS");
    expect((await (await mapped(large)).book())[0].account.billing_name).toBe('987654321012345678');
  });

  it('25.2.10 25.2.11 puts closed history and earlier readings into their lists, and line items into either list', async () => {
    const files = {
      ...FILES,
      'meters.csv':
        'cust,mpan,msn,day,value\n123,1008234658484,M1,2026-01-31,100\n123,1008234658484,M1,2026-02-28,200\n',
    };
    const accounts = ACCOUNTS.replace('Name AS', `'2026-01-31' AS last_billed_to_date, Name AS`);
    const of = (view: string, where: string) =>
      TRANSACTIONS.replace('VIEW transactions', `VIEW ${view}`).replace('main.bills', `main.bills WHERE ${where}`);
    const points = `CREATE TEMP VIEW supply_points AS SELECT DISTINCT pad(cust, 6) AS external_account_number, '1 Mill Lane' AS supply_address1,
      'LS1 4AP' AS supply_postcode, '2019-04-01' AS customer_at_supply_address_from_date, mpan AS "meter_points.identifier",
      msn AS "meter_points.meters.meter_serial_number" FROM main.meters;`;
    const readings = (view: string, day: string) =>
      `CREATE TEMP VIEW ${view} AS SELECT pad(cust, 6) AS external_account_number, mpan AS meter_point_identifier,
        msn AS meter_serial_number, day AS reading_date, value AS reading_value FROM main.meters WHERE day = '${day}';`;
    const items = `CREATE TEMP VIEW line_items AS SELECT pad(cust, 6) AS external_account_number, ref AS transaction_id,
      day AS start_date, day AS end_date, '1' AS number_of_units, net AS net_amount FROM main.bills WHERE cust = '123';`;
    const views = [
      ...[accounts, of('historical_transactions', `day < '2026-02'`), of('transactions', `day >= '2026-02'`), items],
      ...[points, readings('reading_history', '2026-01-31'), readings('readings', '2026-02-28')],
    ];
    const converted = await mapped(views.join('\n'), { files });
    expect([converted.code, converted.stderr]).toEqual([0, expect.any(String)]);
    const [line] = await converted.book();
    expect(line).toMatchObject({
      account: { historical_transactions: [{ transaction_id: 'T1', line_items: [{ net_amount: '0.10' }] }] },
      transactions: [{ transaction_id: 'T2', line_items: [{ net_amount: '0.20' }] }],
    });
    const [meter] = line.account.supply_addresses[0].meter_points[0].meters;
    expect([meter.reading_history, meter.transfer_readings]).toMatchObject([
      [{ reading_date: '2026-01-31', reading_value: '100' }],
      [{ reading_date: '2026-02-28', reading_value: '200' }],
    ]);
  });

  it.each([
    ['transfer_readings', 'readings'],
    ['supply_addresses', 'supply_points'],
    ['METERS', 'supply_points'],
    ['payment_instruction', 'payment_instructions'],
    ['ledgers', 'accounts'],
  ])(
    '25.2.11 ends at a view that is called as the field %s, which no kind is: it would be lost',
    async (name, meant) => {
      const refused = await mapped(`${ACCOUNTS}\nCREATE TEMP VIEW ${name} AS SELECT 1 AS a;`);
      const sentence = `mapping.sql line 3: no kind is called ${name.toLowerCase()}; did you mean ${meant}?`;
      expect(refused).toMatchObject(failure(2, sentence));
    },
  );

  it('25.2.17 tells that a mapping has several import suppliers and currencies, and makes a book and a manifest of each', async () => {
    const accounts = ACCOUNTS.replace(`'HARBOUR-VALE'`, `iif(Name = 'Tom', 'HARBOUR IE', 'HARBOUR-GB')`).replace(
      'Name AS billing_name',
      `'BUSINESS' AS account_type, Name AS "business.name"`,
    );
    const statements = `CREATE TEMP VIEW statements AS SELECT pad(cust, 6) AS external_account_number, ref AS statement_id,
      day AS bill_period_from_date, day AS bill_period_to_date, iif(cust = '456', 'EUR', 'GBP') AS currency FROM main.bills;`;
    const sql = [accounts, statements, MANIFEST].join('\n');
    const both = await mapped(sql);
    expect(both.code, both.stderr).toBe(0);
    const several = 'Accounts of 2 import suppliers: HARBOUR-GB (1), HARBOUR IE (1). A book is for one:';
    const currencies = 'Statements are in GBP (2), EUR (1). An import supplier has one country and one currency,';
    expect(both.stdout).toContain(several);
    expect(both.stdout).toContain(currencies);
    expect(both.stdout).toContain('--only-supplier HARBOUR-GB \\\n    -o book-HARBOUR-GB.ndjson');
    expect(both.stdout).toContain(`and the same with --only-supplier 'HARBOUR IE' -o book-HARBOUR-IE.ndjson`);
    const run = (...words: string[]) => causeway(words, { directory: both.directory });
    const validated = await run('validate', 'book.ndjson', '--country', 'GB');
    expect(validated.stdout).toContain('A book is for one import supplier. Convert those of each by themselves,');
    const files = Object.keys(FILES);
    const checked = await run('map', 'check', 'mapping.sql', ...files);
    const said = checked.stdout.replaceAll(/\s+/g, ' ');
    for (const sentence of [several, currencies, 'What the views add up to, of all import suppliers:'])
      expect(said).toContain(sentence);
    const words = ['convert', ...files, '--mapping', 'mapping.sql', '--only-supplier'];
    const one = await run(...words, 'HARBOUR IE', '-o', 'one.ndjson');
    expect(one).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('import suppliers'),
      stderr: expect.stringContaining('1 account of other import suppliers left out.'),
    });
    for (const name of ['one.ndjson', 'one.manifest.ndjson']) {
      const lines = await readFile(path.join(both.directory, name), 'utf8');
      expect(lines.match(/"external_account_number":"\d+"/g)).toEqual(['"external_account_number":"000456"']);
    }
    const wrong = 'Statements are in EUR (1), but the currency of GB is GBP: correct one of them.';
    expect((await run('validate', 'one.ndjson', '--country', 'GB')).stdout.replaceAll(/\s+/g, ' ')).toContain(wrong);
    expect((await run('validate', 'one.ndjson', '--country', 'IE')).stdout).not.toContain('Statements are');
    const alone = await run('map', 'check', 'mapping.sql', ...files, '--only-supplier', 'HARBOUR IE');
    expect(alone.stdout).toMatch(/of HARBOUR IE:\n {2}accounts transfer_balance +1 +1,234\.50/);
    const none = await run(...words, 'HARBOUR', '-o', 'none.ndjson');
    expect(none).toMatchObject(failure(2, 'No account is of the import supplier HARBOUR.'));
    expect(none.stderr).toContain('There are accounts of HARBOUR-GB, HARBOUR IE.');
  });

  it('25.2.11 takes lists and objects of NDJSON apart as the guide shows, and names the column and the row that are none', async () => {
    const guide = await readFile(path.resolve(import.meta.dirname, '../../api/src/openapi/guide.md'), 'utf8');
    const [, shown = ''] = /```sql\n(CREATE TEMP VIEW accounts AS\nSELECT t\."accountKey"[^`]+)```/.exec(guide) ?? [];
    const lines = [
      '{"accountKey":"A-1","company":{"name":"Okafor Ltd"},"billing":{"balance":0.10},"contacts":[{"lastName":"Okafor","phones":[{"number":"+447700900123"}]},{"lastName":"Penrose","phones":[]}]}',
      '{"accountKey":"A-2","company":null,"billing":null,"contacts":null}',
    ];
    const files = { 'crm.ndjson': `${lines.join('\n')}\n` };
    const words = ['--supplier', 'HARBOUR-VALE'];
    const converted = await mapped(shown, { files, words });
    expect(converted.code, converted.stderr).toBe(0);
    const customers = [{ family_name: 'Okafor', mobile: '+447700900123' }, { family_name: 'Penrose' }];
    const own = { external_account_number: 'A-1', billing_name: 'Okafor Ltd', transfer_balance: '0.10' };
    const second = { import_supplier: 'HARBOUR-VALE', external_account_number: 'A-2' };
    expect(await converted.book()).toEqual([
      { account: { import_supplier: 'HARBOUR-VALE', ...own, customers } },
      { account: second },
    ]);
    const empty = await mapped(shown.replace(`nullif(t."company", '')`, 't."company"'), { files, words });
    expect(empty).toMatchObject(failure(2, 'mapping.sql line 1: A value that is read as JSON is none.'));
    expect(empty.stderr).toContain(
      `crm."company": 1 row without JSON, all empty; the first is crm.ndjson line 2. Write nullif("company", '') in its place.`,
    );
    const broken = { 'crm.ndjson': files['crm.ndjson'].replace('"company":null', '"company":"none"') };
    expect((await mapped(shown, { files: broken, words })).stderr).toContain(
      'the first is crm.ndjson line 2. Write CASE WHEN json_valid("company") THEN "company" END in its place.',
    );
  });

  it('25.2.11 what the row of an account says already is not replaced by another view', async () => {
    const customers = `CREATE TEMP VIEW customers AS SELECT CustNo AS external_account_number, Name AS given_name FROM main.customers_2026;`;
    const twice = await mapped(
      [ACCOUNTS.replace('Name AS billing_name', 'Name AS "customers.0.given_name"'), customers].join('\n'),
    );
    expect(twice).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('The row of the account has customers too.'),
    });
  });

  it('25.2.11 says which values could not be read where a view has left their rows out', async () => {
    const files = { ...FILES, 'CUSTOMERS_2026.csv': FILES['CUSTOMERS_2026.csv'].replace('03-APR-19', 'n/a') };
    const since = ACCOUNTS.replace(/;$/, " WHERE to_date(Since, 'DD-MON-RR') < '2030-01-01';");
    const converted = await mapped(since, { files });
    expect(converted.code).toBe(3);
    expect(converted.stderr.replaceAll(/\s+/g, ' ')).toContain('1 value that to_date could not read came to no row');
  });

  it('25.2.11 a sum of SQLite itself is an error of its row that names sum_money', async () => {
    const sums = TRANSACTIONS.replace('add_money(net, vat)', 'CAST(net AS REAL) + vat');
    const converted = await mapped([ACCOUNTS, sums].join('\n'));
    expect(converted).toMatchObject({ code: 3 });
    expect(converted.stderr.replaceAll(/\s+/g, ' ')).toContain('column amount: SQLite has computed it as a number');
    expect(converted.stderr).toContain('sum_money');
    const whole = TRANSACTIONS.replace('add_money(net, vat)', '3864 / 100');
    expect((await mapped([ACCOUNTS, whole].join('\n'))).stderr).toContain('SQLite has computed it as a number');
    const manifest = await mapped([ACCOUNTS, MANIFEST.replace(/sum_money\(.*\)\)/, 'sum(net)')].join('\n'));
    expect(manifest).toMatchObject(
      failure(2, 'The view manifest has floating-point numbers in by_type.PAYMENT.amount'),
    );
    expect(await readdir(manifest.directory)).not.toContain('book.ndjson');
  });

  it('25.2.11 takes whole objects from a view of the one column json', async () => {
    const whole = `CREATE TEMP VIEW accounts AS SELECT json_object('external_account_number', CustNo, 'import_supplier',
      'HARBOUR-VALE', 'business', json_object('name', Name)) AS json FROM main.customers_2026;
      CREATE TEMP VIEW notes AS SELECT json_object('external_account_number', CustNo, 'body', Name) AS json FROM main.customers_2026;`;
    const converted = await mapped(whole);
    expect([converted.code, converted.stderr]).toEqual([0, expect.any(String)]);
    expect((await converted.book())[0]).toEqual({
      account: { import_supplier: 'HARBOUR-VALE', external_account_number: '000123', business: { name: 'Zoë' } },
      notes: [{ body: 'Zoë' }],
    });
  });

  it('25.2.11 does not continue with rows that cannot be read, unless it is told to leave them out', async () => {
    const files = { ...FILES, 'bills.csv': `${FILES['bills.csv']}456,"T4,2026-01-05,7.00,1.40\n` };
    const refused = await mapped([ACCOUNTS, TRANSACTIONS].join('\n'), { files });
    expect(refused).toMatchObject(failure(2, 'bills.csv has 1 row that cannot be read: line 5. A quote'));
    const told = await mapped([ACCOUNTS, TRANSACTIONS].join('\n'), { files, words: ['--leave-out-damaged'] });
    expect(told).toMatchObject({ code: 0, stderr: expect.stringContaining('1 damaged row left out') });
  });

  it.each([
    ['CREATE TEMP VIEW accounts AS SELEC 1;', 'mapping.sql line 1'],
    [ACCOUNTS.replace('external_account_number', 'number'), 'has no column external_account_number'],
    [ACCOUNTS.replace('billing_name', 'billing_nmae'), 'billing_nmae  is it billing_name'],
    [
      ACCOUNTS.replace('main.customers_2026', 'main.clients'),
      'There is no table clients. The tables are: customers_2026, bills',
    ],
    ["ATTACH 'other.sqlite' AS other;", 'mapping.sql line 1'],
    [
      `${ACCOUNTS}${TRANSACTIONS.replace('transactions', 'transations')}`,
      'no kind is called transations; did you mean transactions?',
    ],
    [ACCOUNTS.replace('main.customers_2026', 'accounts'), 'The view accounts reads from itself.'],
  ])('25.2.11 refuses a mapping that is wrong, and writes nothing: %s', async (sql, sentence) => {
    const refused = await mapped(sql);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr.replaceAll(/\s+(?!is it)/g, ' ')).toContain(sentence);
    expect((await readdir(refused.directory)).sort()).toEqual(
      ['CUSTOMERS_2026.csv', 'bills.csv', 'mapping.sql'].sort(),
    );
  });

  it('25.2.11 rejects an account that has two rows in a view', async () => {
    const twice = await mapped(
      ACCOUNTS.replace(/;$/, ' UNION ALL SELECT CustNo, 1, 2, 3, _file, _line FROM main.customers_2026 LIMIT 3;'),
    );
    expect(twice.code).toBe(3);
    expect(await twice.book()).toHaveLength(1);
    expect(twice.stderr).toContain('The account has a row already: CUSTOMERS_2026.csv line 2.');
  });

  it('25.2.11 takes files alone with a mapping, and by their kinds without one', async () => {
    const directory = await temporaryFolder();
    await writeFile(path.join(directory, 'a.csv'), 'external_account_number\nHV-1\n');
    const words = ['convert', 'a.csv', '-o', 'book.ndjson'];
    expect(await causeway(words, { directory })).toMatchObject(failure(2, 'causeway map FILES'));
    const none = await causeway([...words, '--mapping', 'none.sql'], { directory });
    expect(none).toMatchObject(failure(2, 'none.sql cannot be read: no such file'));
    const both = await causeway([...words, '--mapping', 'none.sql', '--notes', 'a.csv'], { directory });
    expect(both).toMatchObject(failure(2, 'files have no kinds'));
  });
});
