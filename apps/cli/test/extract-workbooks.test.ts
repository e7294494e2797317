import { describe, expect, it } from 'vitest';
import { rowsOf } from '../src/extract/source.ts';
import { isDateFormat, textOfDays, textOfNumber } from '../src/extract/workbook/cell-text.ts';
import { failureOf, open, read, readRows, workbookFiles, zip } from './support/extract.ts';

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const workbook = (sheets: Record<string, string>, other: Record<string, string> = {}) =>
  zip(workbookFiles(sheets, other));

const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-809]dd\\-mmm\\-yy;@"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/></cellXfs></styleSheet>`;
const STRINGS = `<sst><si><t xml:space="preserve"> 0012 </t></si>
  <si><r><t>Zo</t></r><r><t>ë &amp; Söhne_x000D_</t></r><rPh><t>ignored</t></rPh></si></sst>`;

describe('a sheet of a workbook', () => {
  it('25.2.2 is rows of what its cells hold, whatever they show', async () => {
    const rows = `<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c>${['b', 'c', 'd', 'e', 'f'].map(text).join('')}</row>
      <row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" s="1"><v>46117</v></c>
        <c r="D3" s="2"><v>46117.604178240741</v></c><c r="E3"><v>1.1000000000000001</v></c><c r="F3" t="b"><v>1</v></c></row>
      <row r="4"/>
      <row r="5"><c r="B5" t="str"><f>A1&amp;"x"</f><v>idx</v></c><c r="C5" s="3"><v>1</v></c><c r="E5"><v>48.20</v></c>
        <c r="F5" t="d"><v>2026-04-05</v></c><c r="J5" s="1"/></row>`;
    const content = workbook({ May: rows }, { 'xl/styles.xml': STYLES, 'xl/sharedStrings.xml': STRINGS });
    const { all, source } = await read(content);
    expect(all).toEqual([
      { line: 1, cells: ['id', 'b', 'c', 'd', 'e', 'f'] },
      { line: 3, cells: [' 0012 ', 'Zoë & Söhne\r', '2026-04-05', '2026-04-05 14:30:01', '1.1', 'true'] },
      { line: 5, cells: ['', 'idx', '1900-01-01', '', '48.20', '2026-04-05'] },
    ]);
    expect(source).toMatchObject({ name: 'a.csv', sheet: undefined, guesses: [] });
  });

  it('25.2.2 with a formula without a value, an error, or a damaged reference has a fault there, and reads on', async () => {
    const rows = `<row r="1">${text('id')}${text('b')}</row>
      <row r="2">${text('1')}<c r="B2"><f>A1*2</f></c></row>
      <row r="3">${text('2')}<c r="B3" t="e"><f>A0</f><v>#REF!</v></c></row>
      <row r="4">${text('3')}<c r="AB4" t="s"><v>9</v></c></row>
      <row r="5">${text('4')}<c r="B5" t="str"><f>""</f><v></v></c></row>
      <row r="6">${text('5')}<c r="B6"><f>1+1</f><v>2</v></c></row>`;
    const { cells, faults } = await read(workbook({ May: rows }));
    expect(cells).toEqual([
      ['id', 'b'],
      ['4', ''],
      ['5', '2'],
    ]);
    expect(faults).toEqual([
      [2, expect.stringContaining('Column B is a formula without a value: open the workbook')],
      [3, 'Column B holds an error of the spreadsheet, such as #REF!.'],
      [4, expect.stringContaining('Column AB refers to a text that is not there')],
    ]);
  });

  it('25.2.2 has its header below a title, and cells up to its width', async () => {
    const names = ['number', 'account', 'from', 'paid', 'note'];
    const rows = `<row r="1">${text('Invoices 2026')}</row><row r="3">${names.map(text).join('')}</row>
      <row r="4">${['R-1', '0012', '2026-01-01', '1.50'].map(text).join('')}</row>
      <row r="5">${['R-2', '0013', '2026-01-02', '2.50', 'x'].map(text).join('')}</row>`;
    const { cells, source } = await read(workbook({ May: rows }));
    expect(cells).toEqual([
      names,
      ['R-1', '0012', '2026-01-01', '1.50', ''],
      ['R-2', '0013', '2026-01-02', '2.50', 'x'],
    ]);
    expect(source.guesses).toEqual(['the header is line 3; 2 lines above it left out']);
    const first = await read(workbook({ May: rows }), { headerLine: 'first' });
    expect([first.cells[0], first.source.guesses]).toEqual([['Invoices 2026'], []]);
  });

  it('25.2.2 is a source by itself, unless it is empty; a flag picks one', async () => {
    const sheets = { May: `<row>${text('a')}</row>`, Empty: '', June: `<row>${text('b')}</row><row/>` };
    const sources = await open(workbook(sheets), {}, 'book.xlsx');
    expect(sources.map(({ name, sheet }) => [name, sheet])).toEqual([
      ['book.xlsx (May)', 'May'],
      ['book.xlsx (June)', 'June'],
    ]);
    const [june] = await open(workbook(sheets), { sheet: 'June' }, 'book.xlsx');
    if (june === undefined) throw new Error('No source.');
    expect([june.name, june.sheet, (await readRows(rowsOf(june))).cells]).toEqual(['book.xlsx', undefined, [['b']]]);
    expect(await failureOf(open(workbook(sheets), { sheet: 'july' }))).toContain('Its sheets: May, Empty, June');
    expect(await failureOf(open(workbook({ May: '' })))).toContain('a.csv is empty: it needs a header.');
  });

  it('25.2.2 that would grow too large is refused before it is unpacked, and cut off where its size is a lie', async () => {
    const bomb = workbookFiles({ May: `<row>${text('a')}</row>`.repeat(200_000) });
    const refused = await failureOf(open(zip(bomb)));
    expect(refused).toContain('a.csv is too large when it is unpacked. Nothing was read.\n');
    expect(refused).toContain('Save the sheet as CSV UTF-8 in the spreadsheet program, and give that file.');
    expect(await failureOf(open(zip(bomb, { bytes: 2 ** 31 })))).toContain('is too large when it is unpacked');
    const lying = await failureOf(open(zip(bomb, { bytes: 50 })));
    expect(lying).toContain('a.csv cannot be read as a workbook: a file in it is larger than it says.');
  });

  it('25.2.2 that is damaged, or none, is refused with what to do', async () => {
    const good = workbook({ May: `<row>${text('a')}</row>` });
    for (const cut of [good.length - 30, 60, 20]) {
      expect(await failureOf(open(good.subarray(0, cut)))).toMatch(
        /^a\.csv cannot be read as a workbook: its directory is/,
      );
    }
    const changed = Buffer.from(good);
    changed.fill(0, 40, 60);
    expect(await failureOf(open(changed))).toContain('Open it in a spreadsheet program and save it again');
    for (const rows of ['<row><c>', '</row>', '<row><c r="A1"><v>&</row>']) {
      expect(await failureOf(read(workbook({ May: rows })))).toContain('it holds what is no XML');
    }
    expect(await failureOf(open(zip({ 'a.csv': 'a,b' })))).toBe(
      'a.csv is a zip file: unpack it, and give the files in it.',
    );
    expect(await failureOf(open(zip({ 'content.xml': '' })))).toContain('a.csv is OpenDocument. Save the sheet as CSV');
    expect(await failureOf(open(zip({ 'xl/workbook.bin': '' })))).toContain('a.csv is a binary workbook (.xlsb).');
    const lost = { ...workbookFiles({ May: '' }), 'xl/_rels/workbook.xml.rels': '<Relationships/>' };
    expect(await failureOf(open(zip(lost)))).toContain('its sheet May is missing');
  });

  it('25.2.2 with a cell too long to hold, or too many columns, does not fill the memory', async () => {
    const long = Array.from({ length: 1_500_000 }, (_, index) => ((index * 2_654_435_761) >>> 0).toString(36)).join('');
    expect(await failureOf(read(workbook({ May: `<row>${text(long)}</row>` })))).toContain(
      'it has a cell that is too long',
    );
    const far = `<row r="1">${text('a')}<c r="ZZZZ1"><v>1</v></c></row><row r="999999999999">${text('b')}</row>`;
    expect((await read(workbook({ May: far }))).cells).toEqual([['a'], ['b']]);
  });

  it('25.2.2 counts its days from 1904 on where its workbook says so', async () => {
    const rows = `<row>${text('day')}</row><row><c s="1"><v>44655</v></c></row>`;
    const files = workbookFiles({ May: rows }, { 'xl/styles.xml': STYLES });
    const from1904 = files['xl/workbook.xml'].replace('<sheets>', '<workbookPr date1904="1"/><sheets>');
    expect((await read(zip({ ...files, 'xl/workbook.xml': from1904 }))).cells[1]).toEqual(['2026-04-05']);
  });
});

describe('a number of a spreadsheet', () => {
  it.each([
    [1, '1900-01-01'],
    [59, '1900-02-28'],
    [60, undefined],
    [61, '1900-03-01'],
    [2_958_465, '9999-12-31'],
    [2_958_466, undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [0.5, '12:00:00'],
    [46117.99999999999, '2026-04-06'],
    [46117.25, '2026-04-05 06:00:00'],
  ])('25.2.3 of days is a date, a time, or neither: %s', (days, expected) => {
    expect(textOfDays(days, false)).toBe(expected);
  });

  it.each([
    ['48.20', '48.20'],
    ['1.1000000000000001', '1.1'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['12345678901234567890', '12345678901234567890'],
    ['2.3778600000000001E+12', '2377860000000'],
    ['1E-3', '0.001'],
    ['-0.5', '-0.5'],
    ['007', '007'],
  ])('25.2.3 keeps its digits, and none that only its double has: %s', (written, expected) => {
    expect(textOfNumber(written)).toBe(expected);
  });

  it.each([
    ['General', false],
    ['#,##0.00 "days"', false],
    ['[Red]0.00', false],
    ['0.00E+00', false],
    ['[h]:mm', false],
    ['yyyy-mm-dd', true],
    ['[$-409]d\\-mmm\\-yy;@', true],
    ['h:mm AM/PM', true],
  ])('25.2.3 is a date by its format: %s', (code, expected) => {
    expect(isDateFormat(164, code)).toBe(expected);
    expect([14, 22, 45, 46, 0, 2].map((id) => isDateFormat(id, undefined))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
