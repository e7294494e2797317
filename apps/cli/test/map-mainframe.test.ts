import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
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
