import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { causeway, temporaryFolder } from './support/causeway.ts';

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
