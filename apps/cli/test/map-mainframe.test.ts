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
