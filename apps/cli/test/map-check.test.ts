import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { differenceOf } from '../src/map/check/lost-rows.ts';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../../examples/legacy-extract');

/** Checks a mapping of some files: the report with `--json`. */
async function checked(mapping: string, files: Readonly<Record<string, string>>, words: readonly string[] = []) {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'mapping.sql'), mapping);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const command = ['map', 'check', 'mapping.sql', ...Object.keys(files), ...words];
  return { folder, ended: await causeway(command, { directory: folder }) };
}

const ACCOUNTS = `CREATE TEMP VIEW accounts AS
SELECT number AS external_account_number, 'HARBOUR-VALE' AS import_supplier, name AS billing_name FROM main.people;
CREATE TEMP VIEW customers AS
SELECT number AS external_account_number, name AS family_name FROM main.people;
`;
const PEOPLE = 'number,name,unread\n00123,Penrose,x\nAB-7,Okafor,y\n';
const PAYMENTS = `${ACCOUNTS}CREATE TEMP VIEW transactions AS
SELECT account AS external_account_number, id AS transaction_id, day AS transaction_date, 'PAYMENT' AS type,
  to_money(amount) AS amount FROM main.payments;`;

describe('25.2.13 the mapping of the example', () => {
  it('is clean: every account is accepted, and the two sides add up to the same', async () => {
    const folder = await temporaryFolder();
    await copyFile(path.join(EXAMPLE, 'mapping.sql'), path.join(folder, 'mapping.sql'));
    const files = (await readdir(path.join(EXAMPLE, 'extract'))).map((name) => path.join(EXAMPLE, 'extract', name));
    const flags = ['--encoding', 'CRM_CUSTOMERS_2026.csv=windows-1252', '--supplier', 'HARBOUR-VALE', '--json'];
    const ended = await causeway(['map', 'check', 'mapping.sql', ...files, ...flags], { directory: folder });
    expect(ended.code, ended.stderr).toBe(0);
    const report = ended.json();
    expect(report.lost).toEqual([]);
    expect(report.preview).toMatchObject({ rejected: 0, faults: [] });
    // Its accounts do not say until when they were billed.
    const told = { code: 'transaction_date_moved', accounts: 12, refused: false };
    expect(report.refused).toMatchObject({ refused: 0, clusters: [told] });
    const sums = Object.fromEntries([...report.totals.views, ...report.totals.files].map(({ of, sum }) => [of, sum]));
    expect(sums['payments.AMOUNT']).toBe(sums['transactions PAYMENT']);
    expect(sums['bill_lines.LINE_NET']).toBe(sums['line_items net_amount']);
    expect(sums['balances.INV_TOTAL']).toBe(sums['statements gross_amount']);
    expect(sums['balances.BALANCE']).toBe(sums['accounts transfer_balance']);
    expect(report.unused).toContainEqual({ table: 'crm_customers_2026', columns: ['Segment', 'CreatedDate'] });
  });
});

describe('25.2.13 a check', () => {
  it('writes the first accounts as they would be sent, and nothing else', async () => {
    const { folder, ended } = await checked(ACCOUNTS, { 'people.csv': PEOPLE });
    expect(ended.stdout).toContain('mapping.preview.ndjson holds the first as they would be sent');
    const preview = path.join(folder, 'mapping.preview.ndjson');
    const lines = (await readFile(preview, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ account }) => account.external_account_number)).toEqual(['00123', 'AB-7']);
    expect(await readdir(folder)).toHaveLength(3);
  });

  it('tells which view runs, and for how long', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'mapping.sql'), ACCOUNTS);
    await writeFile(path.join(folder, 'people.csv'), PEOPLE);
    const ended = await causeway(['map', 'check', 'mapping.sql', 'people.csv'], { directory: folder, columns: 100 });
    expect(ended.stderr).toContain('mapping.sql: accounts  0 s');
  });

  it('25.2.11 stops a mapping after --mapping-minutes', async () => {
    const endless = `CREATE TEMP VIEW accounts AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT max(i) AS external_account_number FROM n;`;
    const { ended, folder } = await checked(endless, { 'people.csv': PEOPLE }, ['--mapping-minutes', '0.01']);
    expect(ended).toMatchObject(failure(2, 'accounts was stopped after 0.01 minutes.'));
    const words = ['--mapping', 'mapping.sql', 'people.csv', '-o', 'book.ndjson', '--mapping-minutes'];
    const converted = await causeway(['convert', ...words, '0.01'], { directory: folder });
    expect(converted).toMatchObject(failure(2, 'accounts was stopped after 0.01 minutes.'));
    const wrong = await causeway(['convert', ...words, '0'], { directory: folder });
    expect(wrong).toMatchObject(failure(2, '--mapping-minutes 0: give a number of minutes'));
  });

  it('names columns that no view reads, and required fields that nothing fills', async () => {
    const mapping = ACCOUNTS.replace("'HARBOUR-VALE'", "''");
    const { ended } = await checked(mapping, { 'people.csv': PEOPLE }, ['--json']);
    expect(ended.json().unused).toEqual([{ table: 'people', columns: ['unread'] }]);
    expect(ended.json().unfilled[0]).toMatchObject({ view: 'accounts', required: ['import_supplier'] });
  });

  it('tells which views convert refuses, goes through the others, and has the sums above what is long', async () => {
    const readings = `CREATE TEMP VIEW readings AS SELECT account AS external_account_number, id AS register_id,
      day AS reading_date, amount AS reading_value FROM main.payments;`;
    const files = { 'people.csv': PEOPLE, 'payments.csv': 'account,id,day,amount\n00123,P1,2026-01-05,5.00\n' };
    const { ended } = await checked(PAYMENTS + readings, files);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('mapping.sql, view readings lacks the column meter_point_identifier.\n');
    expect(ended.stdout).toContain('Of the first 2 accounts, 2 would be accepted, 0 refused');
    expect(ended.stdout.indexOf('What the views add up to')).toBeLessThan(ended.stdout.indexOf('that no view reads'));
    const alone = await checked(readings, files);
    expect(alone.ended.stdout).toContain('No account was put together: the view accounts has no rows.');
  });

  it('names the columns that the fewest rows leave empty, and how many there are', async () => {
    const columns = [1, 2, 3, 4, 5].map((one) => `CASE WHEN id >= ${one} THEN 'x' END AS "metadata.${one - 1}.value"`);
    const mapping = `CREATE TEMP VIEW accounts AS SELECT id AS external_account_number, ${columns.join(', ')} FROM main.t;`;
    const { ended } = await checked(mapping, { 't.csv': 'id,unread\n1,\n2,\n3,\n4,\n5,\n' });
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'accounts: metadata.1.value (1 of 5), metadata.2.value (2 of 5), metadata.3.value (3 of 5), and 1 more: see --json',
    );
  });

  it('tells what rows without an account nearly match', async () => {
    const payments = 'account,id,day,amount\n123,P1,2026-01-05,5.00\nab-7,P2,2026-01-05,5.00\n999,P3,2026-01-05,5.00\n';
    const { ended } = await checked(PAYMENTS, { 'people.csv': PEOPLE, 'payments.csv': payments });
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('transactions: 3 rows, 3 numbers that no account has.');
    expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Nearly the same as an account: zeros in front that transactions lacks (1), capitals (1).',
    );
    expect(ended.stdout).toContain('3 rows name no account of these files: convert rejects them');
  });

  it('tells meters, registers, charges and bills that another view has only nearly, and which file has lost what', async () => {
    const mapping = `${ACCOUNTS}
CREATE TEMP VIEW supply_points AS SELECT number AS external_account_number, point AS "meter_points.identifier",
  serial AS "meter_points.meters.meter_serial_number", '2026-01-31' AS customer_at_supply_address_from_date, _file
FROM main.meters;
CREATE TEMP VIEW registers AS SELECT number AS external_account_number, point AS meter_point_identifier,
  serial AS meter_serial_number, register AS register_id, _file FROM main.meters;
CREATE TEMP VIEW readings AS SELECT m.number AS external_account_number, r.point AS meter_point_identifier,
  r.serial AS meter_serial_number, r.register AS register_id, '2026-01-31' AS reading_date, '1' AS reading_value,
  r._file FROM main.reads r LEFT JOIN main.meters m ON m.serial = r.serial;
CREATE TEMP VIEW transactions AS SELECT number AS external_account_number, 'T-1' AS transaction_id,
  '2026-01-31' AS transaction_date, 'CHARGE' AS type, '1.00' AS amount FROM main.people;
CREATE TEMP VIEW line_items AS SELECT number AS external_account_number, 't-1' AS transaction_id,
  '2026-01-01' AS start_date, '2026-01-31' AS end_date, '1' AS number_of_units, '1.00' AS net_amount FROM main.people;
CREATE TEMP VIEW statements AS SELECT number AS external_account_number, '7' AS statement_id, '7.0' AS replaces,
  '2026-01-01' AS bill_period_from_date, '2026-01-31' AS bill_period_to_date FROM main.people;`;
    const meters = 'number,point,serial,register\n00123,1000,4711,1\nAB-7,2000,S2,1\nAB-7,2000,S3,01\n';
    const reads = 'point,serial,register\n1000,004711,1\n1000,004711,1\n2000,S2,01\n2000,S3,01\n';
    const { ended } = await checked(mapping, { 'people.csv': PEOPLE, 'meters.csv': meters, 'reads.csv': reads });
    expect(ended.code, ended.stderr).toBe(3);
    const text = ended.stdout.replaceAll(/\s+/g, ' ');
    const unpad = 'unpad(…) in both views makes them equal.';
    for (const sentence of [
      'readings: 2 rows, 2 without a number.',
      `readings.meter_serial_number: 2 rows of reads.csv with 1 value that supply_points.meter_points.meters.meter_serial_number has only nearly, in 1 row of meters.csv: zeros in front that supply_points lacks (1). ${unpad}`,
      `readings.register_id: 1 row of reads.csv with 1 value that registers.register_id has only nearly, in 1 row of meters.csv: zeros in front that registers lacks (1). ${unpad}`,
      'line_items.transaction_id: 2 rows with 1 value that transactions.transaction_id has only nearly, in 2 rows: capitals (1).',
      'statements.replaces: 2 rows with 1 value that statements.statement_id has only nearly, in 2 rows: .0 behind it (1).',
      '2 rows name no account of these files: convert rejects them',
    ]) {
      expect(text).toContain(sentence);
    }
    expect(text).not.toContain('readings.meter_point_identifier:');
  });

  it('shows the form of what it cannot read, and the value only when asked', async () => {
    const payments = 'account,id,day,amount\n00123,P1,2026-01-05,12 Pound\n';
    const { ended } = await checked(PAYMENTS, { 'people.csv': PEOPLE, 'payments.csv': payments });
    expect(ended.stdout).toContain(
      'transactions.amount, 1 row: to_money cannot read 1 distinct value, such as 99 Xxxxx.',
    );
    expect(ended.stdout).not.toContain('Pound');
    const files = { 'people.csv': PEOPLE, 'payments.csv': payments };
    const { ended: shown } = await checked(PAYMENTS, files, ['--show-values']);
    expect(shown.stdout).toContain('such as 12 Pound.');
  });

  it('says how many rows of which column have what it cannot read, and where the first is', async () => {
    const amounts = ['5.00', 'five', 'six', 'five'];
    const payments = amounts.map((amount, index) => `00123,P${index},2026-01-05,${amount}`).join('\n');
    const mapping = PAYMENTS.replace('AS amount FROM main.payments;', 'AS amount, _file, _line FROM main.payments;');
    const lost = `${mapping}
CREATE TEMP VIEW notes AS SELECT number AS external_account_number, '2026-01-05' AS created_at, name AS body
FROM main.people WHERE to_date(unread, 'YYYY-MM-DD') > '';`;
    const files = { 'people.csv': PEOPLE, 'payments.csv': `account,id,day,amount\n${payments}\n` };
    const { ended } = await checked(lost, files, ['--show-values']);
    const text = ended.stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'transactions.amount, 3 rows: to_money cannot read 2 distinct values, such as five. Must be a decimal number, such as 12.30. First: payments.csv line 3.',
    );
    expect(text).toMatch(/In no row of a view: to_date cannot read 2 distinct values, such as x\./);
  });

  it('adds money exactly, and says where SQLite has rounded it', async () => {
    const payments = 'account,id,day,amount\n00123,P1,2026-01-05,0.10\n00123,P2,2026-01-05,0.20\n';
    const files = { 'people.csv': PEOPLE, 'payments.csv': payments };
    const { ended } = await checked(PAYMENTS, files, ['--json']);
    expect(ended.json().totals.views).toMatchObject([
      { of: 'transactions PAYMENT', amounts: 2, sum: '0.30', unreadable: 0 },
    ]);
    const rounded = await checked(PAYMENTS.replace('to_money(amount)', 'amount + 0.0'), files);
    expect(rounded.ended.stdout).toContain('Columns in which SQLite has computed numbers, which are not exact');
    expect(rounded.ended.stdout).toContain('transactions.amount: 2 values');
  });

  it('leaves rows that begin with Total out of the sums of the files, and no others', async () => {
    const rows = [
      '00123,P1,2026-01-05,1.10',
      'AB-7,P2,2026-01-05,2.20',
      'Total,,,3.30',
      ',Grand total,,3.30',
      '00123,Total,,5.00',
    ];
    const files = { 'people.csv': PEOPLE, 'payments.csv': `account,id,day,amount\n${rows.join('\n')}\n` };
    const { ended } = await checked(PAYMENTS, files, ['--json']);
    expect(ended.json().totals.files).toMatchObject([
      { of: 'payments.amount', amounts: 3, sum: '8.30', unreadable: 0 },
    ]);
  });

  it('says how many of the amounts are of repeated rows, and reads a column of points and commas', async () => {
    const rows = ['00123,P1,2026-01-05,1.10', '00123,P1,2026-01-05,1.10', 'AB-7,P2,2026-01-05,"1.002,20"'];
    const files = { 'people.csv': PEOPLE, 'payments.csv': `account,id,day,amount\n${rows.join('\n')}\n` };
    const { ended } = await checked(PAYMENTS, files);
    expect(ended.stdout).toMatch(/payments\.amount +3 +1,004\.40 +1,003\.30 without 1 row repeated word for word/);
  });

  it('says the figures of lines below a table beside what they control', async () => {
    const rows = ['00123;P1;2026-01-05;1.000,10', '00123;P1;2026-01-05;1.000,10', 'AB-7;P2;2026-01-05;2,20'];
    const payments = ['account;id;day;amount', ...rows, 'TOTAL 2;;;1.002,30', 'Anzahl: 4', ''].join('\n');
    const files = { 'people.csv': PEOPLE, 'payments.csv': payments };
    const { ended } = await checked(PAYMENTS, files, ['--json']);
    const repeated = 'without 1 row repeated word for word';
    for (const sentence of [
      'Line 5 says 2, and there are 3 rows (2 without those repeated word for word): equal',
      `Line 5 says 1.002,30, and amount adds up to 2,002.40 (1,002.30 ${repeated}): equal`,
      'Line 6 says 4, and there are 3 rows (2 without those repeated word for word): not equal',
    ]) {
      expect(ended.stderr).toContain(sentence);
      expect(ended.json().files[1].left_out).toContain(sentence);
    }
  });

  it('names what the view manifest claims that cannot be read, by a function or without one', async () => {
    const manifest = `${ACCOUNTS}CREATE TEMP VIEW manifest AS
SELECT number AS external_account_number, to_money(balance) AS transfer_balance, posted AS transactions FROM main.ledger;`;
    const ledger = 'number,balance,posted\n00123,12 Pound,3\nAB-7,1.00,three\n';
    const files = { 'people.csv': PEOPLE, 'ledger.csv': ledger };
    const { ended } = await checked(manifest, files);
    expect(ended.code).toBe(3);
    const text = ended.stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain('manifest.transfer_balance, 1 row: to_money cannot read it.');
    expect(text).toContain('manifest.transactions, 1 row: Must be a whole number.');
    expect(text).not.toMatch(/Pound|three/);
    const right = { ...files, 'ledger.csv': 'number,balance,posted\n00123,12.00,3\nAB-7,1.00,\n' };
    expect((await checked(manifest, right, ['--json'])).ended.json().manifest).toEqual([]);
  });

  it('25.2.14 says what convert will remark', async () => {
    const mapping = PAYMENTS.replace(
      'name AS billing_name',
      "name AS billing_name, '5.00' AS transfer_balance, day AS last_billed_to_date",
    );
    const files = { 'people.csv': 'number,name,day\n00123,Penrose,2026-01-31\nAB-7,Okafor,2026-01-31\n' };
    const payments = 'account,id,day,amount\n00123,P1,2026-01-31,5.00\nAB-7,P2,2026-02-01,5.00\n';
    const { ended } = await checked(mapping, { ...files, 'payments.csv': payments });
    const text = ended.stdout.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(
      /column transfer_balance: The value has no last_statement_balance beside it: .+ 1 more value like it\. For example 00123, AB-7\./,
    );
    expect(text).toContain('column transaction_date: The value is not after the last_billed_to_date of its account:');
    const closed = mapping
      .replace('VIEW transactions', 'VIEW historical_transactions')
      .replace(', day AS last_billed_to_date', '');
    const open = await checked(closed, { ...files, 'payments.csv': payments });
    expect(open.ended.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'has historical_transactions, and no last_billed_to_date:',
    );
  });

  it('says what the service would refuse', async () => {
    const payments = 'account,id,day,amount\n00123,P1,2026-01-05,-5.00\n';
    const { ended } = await checked(PAYMENTS.replace("'PAYMENT'", "'REPAYMENT'"), {
      'people.csv': PEOPLE,
      'payments.csv': payments,
    });
    expect(ended.code).toBe(3);
    expect(ended.stdout).toMatch(/Rows that are rejected:|What the service would refuse/);
  });

  it('leaves nothing behind where the mapping is wrong', async () => {
    const { folder, ended } = await checked('CREATE TEMP VIEW accounts AS SELECT nothing FROM main.people;', {
      'people.csv': PEOPLE,
    });
    expect(ended).toMatchObject(failure(2, 'mapping.sql line 1'));
    expect((await readdir(folder)).sort()).toEqual(['mapping.sql', 'people.csv']);
    const missing = await causeway(['map', 'check', 'none.sql', 'people.csv'], { directory: folder });
    expect(missing).toMatchObject(failure(2, 'none.sql cannot be read: no such file. causeway map FILES'));
  });
});

describe('25.2.12 25.2.13 the draft for the files of the sample', () => {
  it('gives back the accounts of the sample', async () => {
    const folder = await temporaryFolder();
    const run = (...words: string[]) => causeway(words, { directory: folder });
    const sample = ['sample', '--accounts', '5', '--date', '2026-11-01'];
    await run(...sample, '-o', 'book.ndjson');
    await run(...sample, '--csv', 'csv');
    const files = (await readdir(path.join(folder, 'csv'))).map((name) => path.join('csv', name));
    await run('map', ...files);
    const ended = await run('map', 'check', 'mapping.sql', ...files);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const linesOf = async (name: string) => {
      const lines = (await readFile(path.join(folder, name), 'utf8')).trimEnd().split('\n');
      return lines
        .map((line) => JSON.parse(line))
        .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
    };
    const withTextAmounts = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_key, field: unknown) => (typeof field === 'number' ? String(field) : field));
    expect(withTextAmounts(await linesOf('mapping.preview.ndjson'))).toEqual(
      withTextAmounts(await linesOf('book.ndjson')),
    );
  });
});

describe('25.2.11 25.2.12 the mappings', () => {
  it('of the sample gives the book that its files give without one, byte for byte after sorting', async () => {
    const folder = await temporaryFolder();
    const run = (...words: string[]) => causeway(words, { directory: folder });
    await run('sample', '--accounts', '30', '--csv', 'csv');
    const files = (await readdir(path.join(folder, 'csv'))).map((name) => path.join('csv', name));
    await run('map', ...files);
    const mapped = await run('convert', '--mapping', 'mapping.sql', '-o', 'mapped.ndjson', ...files);
    expect(mapped.code, mapped.stderr).toBe(0);
    await run('convert', ...files.flatMap((file) => [`--${path.basename(file, '.csv')}`, file]), '-o', 'plain.ndjson');
    const sorted = async (name: string) => (await readFile(path.join(folder, name), 'utf8')).split('\n').sort();
    expect(await sorted('mapped.ndjson')).toEqual(await sorted('plain.ndjson'));
  });

  it('of the example gives twelve accounts', async () => {
    const folder = await temporaryFolder();
    const files = (await readdir(path.join(EXAMPLE, 'extract'))).map((name) => path.join(EXAMPLE, 'extract', name));
    const mapping = ['--mapping', path.join(EXAMPLE, 'mapping.sql'), '--supplier', 'HARBOUR-VALE'];
    const flags = ['--encoding', 'CRM_CUSTOMERS_2026.csv=windows-1252', '-o', 'book.ndjson'];
    const words = ['convert', ...mapping, ...files, ...flags];
    const ended = await causeway(words, { directory: folder });
    expect(ended.code, ended.stderr).toBe(0);
    expect((await readFile(path.join(folder, 'book.ndjson'), 'utf8')).trimEnd().split('\n')).toHaveLength(12);
    expect(await readdir(folder)).toContain('book.manifest.ndjson');
  });
});

describe('25.2.13 what keeps two numbers apart', () => {
  it.each([
    ['10023.0', '10023', '.0 behind it'],
    ['00123', '123', 'zeros in front'],
    ['ab-7', 'AB-7', 'capitals'],
    [' A1', 'A1', 'spaces around it'],
    ['ab-7.0', 'AB-07', 'several of capitals, spaces, zeros and .0'],
  ])('of %s and %s is %s', (one, other, what) => expect(differenceOf(one, other)).toBe(what));
});
