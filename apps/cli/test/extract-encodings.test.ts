import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { hasSymbolInWord } from '../src/extract/encodings.ts';
import { maskedWord } from '../src/extract/find-encoding.ts';
import { failureOf, open, read } from './support/extract.ts';

const HEADER = 'external_account_number,billing_name';
const encode = (text: string, encoding: string) => iconv.encode(text, encoding);

/** Each in an encoding, as somebody exports it. */
const NAMES = [
  ['windows-1252', 'Zoë O’Brien'],
  ['windows-1250', 'Łukasz Wójcik'],
  ['windows-1251', 'Иван Петров'],
  ['windows-1253', 'Γιώργος'],
  ['macintosh', 'Müller'],
  ['cp850', 'Jörg Weiß'],
  ['shift_jis', '山田太郎'],
  ['gb18030', '王小明'],
] as const;

describe('the encoding of a file', () => {
  it.each([
    ['UTF-8', Buffer.from(`${HEADER}\nHV-1,Zoë\n`)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${HEADER}\nHV-1,Zoë\n`)],
    ['UTF-16 of a spreadsheet', Buffer.from(`\uFEFF${HEADER.replace(',', '\t')}\r\nHV-1\tZoë\r\n`, 'utf16le')],
    ['UTF-16 with the high byte first', Buffer.from(`\uFEFF${HEADER}\nHV-1,Zoë\n`, 'utf16le').swap16()],
  ])('25.2.4 is known without a word where its bytes leave no doubt: %s', async (_name, content) => {
    const { source, cells } = await read(content);
    expect(cells).toEqual([HEADER.split(','), ['HV-1', 'Zoë']]);
    expect(source.guesses.filter((guess) => !guess.startsWith('cells separated'))).toEqual([]);
  });

  it.each(['utf-16le', 'utf-16be'])(
    '25.2.4 is known and reported for %s without a byte order mark',
    async (encoding) => {
      const content = encode(`${HEADER}\nHV-1,Łukasz\n`, encoding);
      const { source, cells } = await read(content);
      expect(cells[1]).toEqual(['HV-1', 'Łukasz']);
      expect(source.guesses).toContain(`${encoding}, by its zero bytes`);
      expect((await read(content, { encoding })).source.guesses).not.toContain(`${encoding}, by its zero bytes`);
      const other = await failureOf(open(content, { encoding: 'windows-1252' }));
      expect(other).toContain(
        `a.csv is UTF-16, not Windows-1252. Nothing was read.\n  Give --encoding accounts=${encoding}`,
      );
    },
  );

  it('25.2.4 may be another one though a line of it is UTF-8 by chance', async () => {
    const rows = ['HV-1,Íñigo', 'HV-2,Jörg', 'HV-3,Zoë'];
    const asked = await failureOf(open(encode(`${HEADER}\n${rows.join('\n')}\n`, 'cp850'), { showsValues: true }));
    expect(asked).toContain('a.csv is not UTF-8: line 3 has bytes of another encoding. Nothing was read.');
    expect(asked).toContain('Jörg Zoë  with --encoding accounts=cp850');
    expect(asked).toContain(
      'Line 2 could be UTF-8 as well. If the file mixes encodings: --encoding accounts=utf-8,NAME',
    );
  });

  it.each(NAMES)(
    '25.2.4 is never guessed: %s ends with its line, its words and the flag that reads it',
    async (...row) => {
      const [encoding, name] = row;
      const content = encode(`${HEADER}\nHV-1,plain\nHV-2,${name}\n`, encoding);
      const asked = await failureOf(open(content, { showsValues: true }));
      expect(asked).toContain('a.csv is not UTF-8: line 3 has bytes of another encoding. Nothing was read.');
      const line = asked.split('\n').find((one) => one.endsWith(`with --encoding accounts=${encoding}`));
      for (const word of name.split(' ').filter((one) => /[^\p{ASCII}]/u.test(one))) expect(line).toContain(word);
      const { cells, source } = await read(content, { encoding });
      expect(cells[2]).toEqual(['HV-2', name]);
      expect(source.changedWords).toEqual(name.split(' ').filter((one) => /[^\p{ASCII}]/u.test(one)));
    },
  );

  it('25.2.4 is found line by line where returns alone end the lines', async () => {
    const content = Buffer.concat([Buffer.from(`${HEADER}\rHV-1,Siân\r`), Buffer.from('HV-2,Zo\xEB\r', 'latin1')]);
    expect(await failureOf(open(content))).toContain('line 3 has bytes of another encoding, but line 2 is UTF-8');
    expect((await read(content, { encoding: 'utf-8,windows-1252' })).cells.slice(1)).toEqual([
      ['HV-1', 'Siân'],
      ['HV-2', 'Zoë'],
    ]);
  });

  it('25.2.4 shows no value but letters that depend on it, unless values may be shown', async () => {
    const content = encode(`${HEADER}\nHV-1,Müller-Smith8@x.example\n`, 'windows-1252');
    expect(await failureOf(open(content))).toContain('Xüxxxx-Xxxxx9@x.xxx');
    expect(await failureOf(open(content, { showsValues: true }))).toContain('Müller-Smith8@x.exa');
    expect(maskedWord('Zoë9')).toBe('Xxë9');
  });

  it('25.2.4 is asked for where UTF-8 is said to be another one, and taken from the flag for ASCII', async () => {
    const asked = await failureOf(open(`${HEADER}\nHV-1,Zoë\n`, { encoding: 'windows-1252' }));
    expect(asked).toContain('a.csv is valid UTF-8, and line 2 is not ASCII. Is it Windows-1252? Nothing was read.');
    expect(asked).toContain('If it is UTF-8, give --encoding accounts=utf-8');
    const { cells, source } = await read(`${HEADER}\nHV-1,Zoe\n`, { encoding: 'windows-1252' });
    expect([cells[1], source.changedWords]).toEqual([['HV-1', 'Zoe'], []]);
    expect(await failureOf(open(Buffer.from('a,b\n\xEB,1\n', 'latin1'), { encoding: 'utf-8' }))).toContain('line 2');
  });

  it('25.2.4 takes every name of the standard and the code pages of DOS, and no other', async () => {
    for (const encoding of ['latin1', 'ISO-8859-15', 'cp1252', 'koi8-r', 'IBM866', 'cp437', 'CP852']) {
      const content = encode(`${HEADER}\nHV-1,${encoding.match(/koi|866|cyr/i) ? 'Иван' : 'Jörg'}\n`, encoding);
      const { cells } = await read(content, { encoding });
      expect(cells[1]?.[1]).toBe(iconv.decode(content, encoding).split(/[,\n]/)[3]);
    }
    expect((await read(Buffer.from('a,b\n\x80,1\n', 'latin1'), { encoding: 'cp1252' })).cells[1]).toEqual(['€', '1']);
    for (const encoding of ['ebcdic', 'cp9', '', 'utf-8,nothing', 'base64', 'hex']) {
      expect(await failureOf(open('a,b\n', { encoding }))).toMatch(/^Unknown encoding ".*"\.\n.*windows-1252/s);
    }
    expect(await failureOf(open('a,b\n', { encoding: 'utf-8,utf-16le' }))).toContain('UTF-16 cannot be mixed');
  });

  it.each([
    ['Zo‰', 'Zoë', true],
    ['M„ller', 'Müller', true],
    ['‡ankaya', 'Çankaya', true],
    ['S°rensen', 'Sørensen', true],
    ['M³ller', 'Müller', true],
    ['O’Brien', '', false],
    ['„Müller“', '', false],
    ['Straße 3–5 (c/o Zoë), m³ 5‰ €5 Acme™ N°3 Rue…', '', false],
  ])('25.2.4 a symbol within a word is seen: %s, which is %s', (text, _is, isSeen) => {
    expect(hasSymbolInWord(text)).toBe(isSeen);
  });

  it('25.2.4 bytes that are no text in the given encoding are a fault of their row, not another text', async () => {
    const good = encode('HV-1,山田\n', 'shift_jis');
    const content = Buffer.concat([Buffer.from('a,b\n'), good, Buffer.from('HV-2,\xFF\xFE\n', 'latin1'), good]);
    for (const encoding of ['shift_jis', 'utf-8,shift_jis']) {
      const { cells, faults } = await read(content, { encoding });
      expect(cells.slice(1)).toEqual([
        ['HV-1', '山田'],
        ['HV-1', '山田'],
      ]);
      expect(faults).toEqual([[3, 'Has bytes that are no text in the given encoding: is --encoding right?']]);
    }
  });

  it('25.2.4 is found in a line far behind, and of a line too long to hold', async () => {
    const rows = 'HV-1,Zoë\r\n'.repeat(100_000);
    const asked = await failureOf(open(Buffer.concat([Buffer.from(`a,b\r\n${rows}`), Buffer.from([0xeb, 0x0a])])));
    expect(asked).toContain('line 100002 has bytes of another encoding, but line 2 is UTF-8');
    const long = `a,b\n${'ë'.repeat(5 * 1024 * 1024)}\nHV-1,Zoë\n`;
    const { cells, faults } = await read(long);
    expect(cells[1]).toEqual(['HV-1', 'Zoë']);
    expect(faults).toEqual([[2, 'Is longer than 4 MiB: is this a file of rows?']]);
  });
});
