import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { fieldsNamed, keyNamed } from '../src/map/fields.ts';
import { causeway, temporaryFolder } from './support/causeway.ts';
import { convert } from './support/convert.ts';

async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return folder;
}

describe('the encoding that the ready command gives', () => {
  it.each([
    ['NUÑEZ;BRONTË;SINÉAD', 'cp850', 'cp850'],
    ['Zoë;O’Brien', 'windows-1252', 'windows-1252'],
    ['ZOË;Müller', 'macintosh', 'macintosh'],
    ['Garc’a', 'windows-1252', 'NAME'],
  ])(
    '25.2.4 of %s in %s is %s: that which makes words of most, if it is the only one',
    async (words, encoding, given) => {
      const directory = await folderOf({ 'a.csv': iconv.encode(`ID;A\n1;${words.replaceAll(';', ' ')}\n`, encoding) });
      const { code, stderr } = await causeway(['map', 'a.csv'], { directory });
      expect(code).toBe(2);
      expect(stderr).toMatch(new RegExp(`\\n +--encoding a\\.csv=${given}\\n`));
      expect(stderr.indexOf(`with --encoding a.csv=${encoding}`)).toBe(stderr.indexOf('with --encoding'));
    },
  );
});

describe('days with a digit for the century', () => {
  const ROWS =
    'external_account_number,import_supplier,billing_name,last_billed_to_date\nHV-1,HARBOUR-VALE,Ana,1240331\n';
  const FLAGS = ['--date-format', 'CYYMMDD'];

  it('25.2.5 are read without a mapping too, and zeros are an empty cell where the flag says so', async () => {
    const accounts = `${ROWS}HV-2,HARBOUR-VALE,Bo,0000000\n`;
    const read = await convert({ accounts }, [...FLAGS, '--empty-text', '0000000']);
    expect([read.code, read.stderr]).toEqual([0, expect.anything()]);
    expect((await read.book()).map(({ account }) => account.last_billed_to_date)).toEqual(['2024-03-31', undefined]);
    const refused = await convert({ accounts }, FLAGS);
    expect([refused.code, refused.stdout + refused.stderr]).toEqual([
      3,
      expect.stringContaining("--empty-text '0000000'"),
    ]);
  });
});

describe('a trailer', () => {
  const COLUMNS =
    'external_account_number:1-7,billing_name:8-20,transfer_balance:21-30,billing_email:31-40,billing_address1:41-50,billing_postcode:51-60,language_preference:61-70';
  const rowOf = (number: string, name: string, sum: string) => number + name.padEnd(13) + sum.padEnd(10);
  const ROWS = [rowOf('0000857', 'Ana', '-28.84'), rowOf('0009451', 'Bo', '10.00'), rowOf('0012914', 'Cy', '0.00')];
  const given = ['--supplier', 'HARBOUR-VALE', '--date-format', 'CYYMMDD'];

  it.each([
    ['TRL00000030000001884-', '0000003', 'equal'],
    ['TRL00000040000001884-', '0000004', 'not equal'],
    ['90000030000001884-', '000003', 'equal'],
    ['TRAILER 3 18.84-', '3', 'equal'],
  ])('25.2.2 of fixed width is no row, and its count is told beside that of the rows: %s', async (line, count, is) => {
    const accounts = `${ROWS.join('\r\n')}\r\n${line.padEnd(30)}\r\n\x1A`;
    const { code, stderr, book } = await convert({ accounts }, ['--fixed-width', `accounts=${COLUMNS}`, ...given]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 lines below the table left out, on line 4, 5.')]);
    expect(stderr).toContain(`Line 4 says ${count}, and there are 3 rows: ${is}`);
    expect(stderr).not.toContain('another length');
    expect(await book()).toHaveLength(3);
  });

  it.each([
    ['TRL,3,-18.84', true],
    ['EOF,2026-03-31,3,18.84-', true],
    ['9,3,-18.84', true],
    ['9,7,-18.84', false],
    ['9,3,-18.84,', false],
  ])('25.2.2 of CSV is no row, and its count and total are told: %s', async (line, isTrailer) => {
    const rows = ['857,Ana,-28.84,HARBOUR-VALE', '9451,Bo,10.00,HARBOUR-VALE', '12914,Cy,0.00,HARBOUR-VALE'];
    const header = 'external_account_number,billing_name,transfer_balance,import_supplier';
    const { code, stderr, book } = await convert({ accounts: [header, ...rows, line, ''].join('\n') });
    expect(code).toBe(isTrailer ? 0 : 3);
    const told = stderr.replaceAll(/\s+/g, ' ');
    expect(told.includes('1 line below the table left out, on line 5')).toBe(isTrailer);
    expect(told.includes('Line 5 says 3, and there are 3 rows: equal')).toBe(isTrailer);
    expect(told.includes('and transfer_balance adds up to -18.84: equal')).toBe(isTrailer);
    expect(await book()).toHaveLength(3);
  });

  it('25.2.2 is no line of figures that fills the columns, whatever it begins with', async () => {
    const lines = [1, 2, 3, 4].map((number) => `900${number} 2026-03-31 1.0`);
    const { code, book } = await convert(
      { accounts: lines.map((line) => line.replace(' 2026-03-31 1.0', ' 12345')).join('\n') },
      ['--fixed-width', 'accounts=external_account_number:1-4,billing_name:6-10', ...given],
    );
    expect([code, await book()]).toEqual([0, expect.objectContaining({ length: 4 })]);
  });
});

describe('25.2.12 the short headers of mainframes', () => {
  it.each([
    ['ADL2', 'accounts', 'billing_address2'],
    ['PSTCDE', 'accounts', 'billing_postcode'],
    ['CURBAL', 'accounts', 'transfer_balance'],
    ['DDAMT', 'accounts', 'payment_schedules.0.amount'],
    ['DDREF', 'accounts', 'payment_schedules.0.mandate.reference'],
    ['FNM', 'customers', 'given_name'],
    ['CUSTSNM', 'customers', 'family_name'],
    ['TTL', 'customers', 'title'],
    ['EML', 'customers', 'email'],
    ['OPNDTE', 'supply-points', 'customer_at_supply_address_from_date'],
    ['CLSDTE', 'supply-points', 'customer_at_supply_address_to_date'],
    ['TRFCDE', 'agreements', 'tariff_code'],
    ['RDGVAL', 'readings', 'reading_value'],
    ['TRNDT', 'transactions', 'transaction_date'],
    ['TRNTYP', 'transactions', 'type'],
    ['TRNDSC', 'transactions', 'display_note'],
    ['PAYMTH', 'transactions', 'payment_type'],
    ['PERFRM', 'line-items', 'start_date'],
    ['LINQTY', 'line-items', 'number_of_units'],
    ['CURCDE', 'statements', 'currency'],
    ['DUEDT', 'statements', 'due_date'],
    ['UOM', 'registers', 'unit'],
    ['CUSTPC', 'accounts', 'billing_postcode'],
    ['PRDCDE', 'transactions', 'product_code'],
  ])('%s, among %s, is %s', (header, kind, field) => {
    expect(fieldsNamed(header).map((named) => [named.field.kind, named.field.path])).toContainEqual([kind, field]);
  });

  it('of meters and customers are keys', () => {
    expect(['MTRSN', 'MTRNBR', 'CUSTNO', 'ACCTNO'].map(keyNamed)).toEqual(['meter', 'meter', 'customer', 'account']);
  });
});

describe('25.2.12 columns of a customer master', () => {
  const NUMBERS = Array.from({ length: 30 }, (_, index) => `${123 + index * 91}`);
  const MASTER = ['CUSTNO,SHNAME,CLSDTE,OPNBAL,CURBAL,DDDAY,DDAMT'].concat(
    NUMBERS.map((number, index) => {
      const money = `${index * 5_377}`.padStart(9, '0');
      return `${number.padStart(7, '0')},Ana,${index === 3 ? '1240331' : '0000000'},${money},${money},0${index % 4},${money}`;
    }),
  );
  const ACCOUNTS = ['Account,MTRSN,Supply from'].concat(NUMBERS.map((number) => `${number},M${number},2024-01-05`));
  const LEDGER = ['CUSTNO,TRNSEQ,TRNDT,AMT_PENCE'].concat(
    NUMBERS.map((number, index) => `${number},${5_000_000 + index},1240105,${index}`),
  );
  const drafted = async (files: Readonly<Record<string, readonly string[]>>) => {
    const texts = Object.entries(files).map(([name, lines]) => [name, `${lines.join('\n')}\n`]);
    const directory = await folderOf(Object.fromEntries(texts));
    const { code, stderr } = await causeway(['map', ...Object.keys(files)], { directory });
    expect([code, stderr]).toEqual([0, expect.anything()]);
    return readFile(path.join(directory, 'mapping.sql'), 'utf8');
  };

  it('have the numbers of accounts, where other files call the same numbers so, whatever zeros these have', async () => {
    const draft = await drafted({ 'custmst.csv': MASTER, 'meters.csv': ACCOUNTS, 'ledger.csv': LEDGER });
    expect(draft).toContain('t."CUSTNO" AS "external_account_number"  -- by its name; 30 different numbers');
    expect(draft).toContain('pad(t."Account", 7) AS "external_account_number"');
    expect(draft).toContain('pad(t."CUSTNO", 7) AS "external_account_number"');
    expect(draft).toContain(`to_date(t."TRNDT", 'CYYMMDD') AS "transaction_date"`);
    expect(draft).toContain(`to_money(t."AMT_PENCE", 'minor') AS "amount"`);
    expect(draft).not.toContain('user_identifier');
  });

  it('are numbers of customers beside those of accounts', async () => {
    const both = ACCOUNTS.map((line, index) => `${line},${index === 0 ? 'CUSTNO' : NUMBERS[index - 1]}`);
    const draft = await drafted({ 'custmst.csv': MASTER, 'meters.csv': both });
    expect(draft).not.toContain('t."CUSTNO" AS "external_account_number"');
  });

  it('are no phone numbers and meter points where they are amounts and zeros', async () => {
    const draft = await drafted({ 'custmst.csv': MASTER });
    expect(draft).not.toMatch(/phone numbers|check digit/);
    expect(draft).toContain(`to_date(null_if(t."CLSDTE", '0000000'), 'CYYMMDD') AS`);
    expect(draft).toContain(`null_if(t."DDDAY", '00') AS "payment_schedules.0.day_of_month"`);
    expect(draft).toMatch(/to_money\(t."CURBAL", 'minor'\) AS "transfer_balance".*may be pence or cents; a debt/);
  });

  it('of lists and objects of JSON say which names these have, and what reads them', async () => {
    const lines = NUMBERS.map((number) =>
      JSON.stringify({
        account: number,
        contacts: [{ title: 'Ms', lastName: 'A' }],
        extra: { [`x${number}`]: 1, kind: 'A' },
      }),
    );
    const draft = await drafted({ 'crm.ndjson': lines });
    expect(draft).toContain('t."contacts" AS …  -- its values are lists of JSON with title, lastName: json_each makes');
    expect(draft).toContain('t."extra" AS …  -- its values are objects of JSON with kind: json_extract reads them');
    expect(draft).not.toContain('x123');
  });
});
