import { appendFile, mkdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { csvLine } from '@causeway/book';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { csvRows } from '../src/extract/csv-rows.ts';
import { decoded } from '../src/extract/encodings.ts';
import { widthsNamed } from '../src/extract/fixed-width-rows.ts';
import { itemsOfArray } from '../src/extract/json-items.ts';
import { jsonRows } from '../src/extract/json-rows.ts';
import { openSources, rowsOf } from '../src/extract/source.ts';
import { textLines } from '../src/extract/text-lines.ts';
import { temporaryFolder } from './support/causeway.ts';
import { FLAGS, failureOf, open, piecesOf, read, readRows } from './support/extract.ts';

const MIB = 1024 * 1024;
const MISPLACED =
  'A quote stands within a cell. If this file never puts cells in quotes, give --quotes none. Otherwise put the cell in quotes, and write each quote in it twice.';
const NOT_CLOSED = 'A quote that opens here is not closed.';
const TOO_LONG = 'Is longer than 4 MiB: is this a file of rows?';

describe('rows of CSV', () => {
  const ENCODINGS = [
    { encoding: 'utf-8', unit: 'binary' },
    { encoding: 'utf-16le', unit: 'binary' },
    { encoding: 'utf-16be', unit: 'binary' },
    { encoding: 'windows-1252', unit: fc.constantFrom(...'aZ09 ",;\t|\r\n\0é€ßÿ') },
    { encoding: 'cp850', unit: fc.constantFrom(...'aZ09 ",;\t|\r\n\0éßÿ') },
    { encoding: 'shift_jis', unit: fc.constantFrom(...'aZ09 ",;\t|\r\n\0山表ｱ') },
  ] as const;

  it.each(ENCODINGS)('25.2.4 come back as they were written, whatever the pieces: $encoding', async (given) => {
    const cell = fc.string({ unit: given.unit, maxLength: 8 }).filter((text) => !text.includes('\uFEFF'));
    const table = fc
      .integer({ min: 2, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      )
      .filter(([first]) => !/^sep=$/i.test(first?.[0] ?? ''));
    const separators = fc.constantFrom(',', ';', '\t', '|');
    const property = fc.asyncProperty(
      table,
      separators,
      fc.integer({ min: 1, max: 9 }),
      async (rows, separator, size) => {
        const text = rows.map((row) => csvLine(row, separator)).join('');
        const options = { delimiter: separator, record_delimiter: ['\r\n', '\n', '\r'] };
        expect(parse(text, options)).toEqual(rows);
        const bytes = iconv.encode(text, given.encoding);
        const found = await readRows(
          csvRows(decoded(piecesOf(bytes, size), [given.encoding]), { separator, hasQuotes: true }),
        );
        expect(found).toMatchObject({ cells: rows, faults: [] });
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  it('25.2.2 with a broken quote are faults of their own, and reading resumes at the next row that fits', async () => {
    const lines = [
      'id,name',
      '1,7" Pipe Works',
      '2,The "Red" Lion',
      '3,"The \\"Red\\" Lion"',
      '4,"fine, with ""quotes"" and',
      'two lines"',
      '5,"not closed',
      '6,fine',
      '7,"closed" too late',
      '8,"also, fine"',
      '9,"not closed to the end',
      '10,last',
    ];
    const { cells, faults, all } = await read(lines.join('\r\n'));
    expect(cells.map(([id]) => id)).toEqual(['id', '4', '6', '8', '10']);
    expect(cells[1]?.[1]).toBe('fine, with "quotes" and\r\ntwo lines');
    expect(faults).toEqual([
      ...[2, 3, 4].map((line) => [line, MISPLACED]),
      [7, NOT_CLOSED],
      [9, MISPLACED],
      [11, NOT_CLOSED],
    ]);
    expect(all.filter(({ fault }) => fault !== undefined).map((row) => row.cells)).toEqual(
      ['1', '2', '3', '5', '7', '9'].map((id) => [id]),
    );
  });

  it('25.2.2 with a quote that swallows other rows leave those as they are', async () => {
    const { cells, faults } = await read('id,name\n1,"open\n2,b\n3,"c"\n4,"d"\n');
    expect(cells.slice(1)).toEqual([
      ['2', 'b'],
      ['3', 'c'],
      ['4', 'd'],
    ]);
    expect(faults).toEqual([[2, NOT_CLOSED]]);
  });

  it('25.2.2 that are longer than 4 MiB are faults: a line, a cell in quotes, a file without line ends', async () => {
    const long = 'x'.repeat(5 * MIB);
    const { cells, faults } = await read(`id,name\n1,${long}\n2,fine\n3,"${`${'x'.repeat(999)}\n`.repeat(5_000)}"\n`);
    expect(cells.slice(0, 2)).toEqual([
      ['id', 'name'],
      ['2', 'fine'],
    ]);
    expect(faults.slice(0, 2)).toEqual([
      [2, TOO_LONG],
      [4, NOT_CLOSED],
    ]);
    expect(await failureOf(read(long))).toBe(`a.csv line 1, its header: ${TOO_LONG}`);
    for await (const lines of textLines(piecesOf(long, MIB))) for (const { text } of lines) expect(text).toBe('');
  });

  it('25.2.2 keep their line numbers, and leave out blank lines and the line sep=', async () => {
    const { all, source } = await read('\uFEFFsep=;\r\nid;name\r\n\r\n1;"a\nb"\r\n\n2;c');
    expect(all).toEqual([
      { line: 2, cells: ['id', 'name'] },
      { line: 4, cells: ['1', 'a\nb'] },
      { line: 7, cells: ['2', 'c'] },
    ]);
    expect(source.guesses).toEqual(['cells separated by ; (its line sep= says so)']);
  });

  it('25.2.2 whose header has a broken quote are not read', async () => {
    expect(await failureOf(read('id,na"me\n1,2\n'))).toBe(`a.csv line 1, its header: ${MISPLACED}`);
  });

  it.each([
    [',', 'id,name;first\n1,a;b\n2,c\n'],
    [';', 'id;amount;balance\n1;2,50;3,50\n2;4,50;5,50\n'],
    ['\t', 'id\tnames\n1\ta, b, c\n2\td, e, f\n'],
    ['|', 'id|x;y\n1|"a|b"\n'],
    [',', 'one\ncolumn\n'],
  ])('25.2.4 have the separator that makes most columns of the first rows: %j', async (separator, content) => {
    const [source] = await open(content);
    expect(source?.form).toMatchObject({ type: 'csv', separator, isSeparatorGuessed: true });
    const name = separator === '\t' ? 'tab' : separator;
    expect(source?.guesses).toEqual(separator === ',' ? [] : [`cells separated by ${name}`]);
  });

  it('25.2.4 have the separator of the flag', async () => {
    for (const [given, separator] of [
      ['tab', '\t'],
      ['\\t', '\t'],
      ['comma', ','],
      ['Semicolon', ';'],
      ['pipe', '|'],
      ['^', '^'],
    ] as const) {
      const { source, cells } = await read(`sep=,\nid${separator}name\n`, { separator: given });
      expect(source).toMatchObject({ form: { separator, isSeparatorGuessed: false }, guesses: [] });
      expect(cells).toEqual([['id', 'name']]);
    }
    for (const separator of ['', 'x', '"', ',,', 'space']) {
      expect(await failureOf(open('a,b\n', { separator }))).toMatch(
        /^Unknown separator ".*"\. Give tab, or the character/,
      );
    }
  });
});

describe('rows of fixed width', () => {
  it('25.2.2 are cut at characters, without the spaces behind a cell', async () => {
    const fixedWidth = widthsNamed('id:1-4, name:5-10,flag:11');
    const text = '0012  Zoë Y\n\n0013  😀😀  N\n0014\n0015  Tom Yx\n0016  Ann Y   \n';
    const { all } = await read(iconv.encode(text.replaceAll('😀', 'é'), 'windows-1252'), {
      encoding: 'windows-1252',
      fixedWidth,
    });
    expect(all.slice(0, 2)).toEqual([
      { line: 0, cells: ['id', 'name', 'flag'] },
      { line: 1, cells: ['0012', '  Zoë', 'Y'], length: 11 },
    ]);
    const { cells, faults } = await read(text, { fixedWidth });
    expect(cells.slice(2)).toEqual([
      ['0013', '  😀😀', 'N'],
      ['0014', '', ''],
      ['0015', '  Tom', 'Y'],
      ['0016', '  Ann', 'Y'],
    ]);
    expect(faults).toEqual([]);
  });

  it('25.2.2 say which of their characters are in no column, and not blank', async () => {
    const { all } = await read('12A  7Zoë   \n13   8Tom x\n14   9Ann\n', {
      fixedWidth: widthsNamed('name:7-9,id:1-2'),
    });
    expect(all.slice(1).map(({ cells, unread }) => [cells, unread])).toEqual([
      [['Zoë', '12'], ['3-6']],
      [
        ['Tom', '13'],
        ['3-6', 'from 10 on'],
      ],
      [['Ann', '14'], ['3-6']],
    ]);
  });

  it.each([
    ['', true],
    ['99 ENDE\n', true],
    ['0016Ann\n0017Tom             BS3 5LN  \n', false],
  ])('25.2.2 are asked for where lines of one column have the same length: %j', async (end, isAsked) => {
    const lines = ['0012Zoë O’Brien     BS1 4LN  ', '0013Tom             BS1 5LN  ', '0014Ann Hall        CF1 5LN  '];
    const text = `${lines.join('\n')}\n0015Tim             CF1 6LN  \n${end}`;
    const opened = open(text);
    if (!isAsked) return expect(await opened).toHaveLength(1);
    const asked = await failureOf(opened);
    expect(asked).toContain('a.csv has one column, and its lines have 29 characters each: is it of fixed width?');
    expect(asked).toContain('--fixed-width accounts=');
    expect((await open(text, { separator: ',' }))[0]?.form.type).toBe('csv');
  });

  it('25.2.4 are asked for together with the encoding', async () => {
    const rows = ['Zo\xEB', 'Andr\xE9', 'Ann', 'Tom'].map((name, row) => `001${row} ${name.padEnd(15)}BS1 4LN\n`);
    const asked = await failureOf(open(Buffer.from(rows.join(''), 'latin1')));
    expect(asked).toContain('Xxë Xxxxé  with --encoding accounts=windows-1252');
    expect(asked).toContain('its lines have 27 characters each: is it of fixed width?');
  });

  it.each([
    ['', '"" is no column.'],
    ['id', '"id" is no column. Give its name, and its first and last character.'],
    ['id:0-4', 'id is said to go from character 0 to 4. The first one of a line is 1.'],
    ['id:5-4', 'id is said to go from character 5 to 4.'],
    ['id:1-4,name:4-9', 'the columns id and name share characters.'],
    ['id:1-4;name:5-9', 'is no column.'],
  ])('25.2.2 need columns that a flag can say: %j', async (given, sentence) => {
    expect(await failureOf(Promise.try(widthsNamed, given))).toContain(`--fixed-width: `);
    expect(await failureOf(Promise.try(widthsNamed, given))).toContain(sentence);
  });
});

describe('rows of JSON', () => {
  const OBJECTS = [
    '{"id": "0012", "balance": 1.10, "open": true, "note": null}',
    '{"id": 12345678901234, "usage": {"2025": [1.50, "x:,}"]}, "note": "a\\n\\"b\\""}',
  ];
  const CELLS = [
    ['id', 'balance', 'open', 'note', 'usage'],
    ['0012', '1.10', 'true', '', ''],
    ['12345678901234', '', '', 'a\n"b"', '{"2025": [1.50, "x:,}"]}'],
  ];

  it.each([
    ['an object a line', `${OBJECTS.join('\r\n')}\n\n`],
    ['an array', `\uFEFF [\n${OBJECTS.join(',\n')}\n]\n`],
    ['an array in one line', `[${OBJECTS.join(',')}]`],
  ])('25.2.2 keep their digits, and nested values as JSON: %s', async (_name, content) => {
    const { cells, source, faults } = await read(content);
    expect(cells).toEqual(CELLS);
    expect([source.form.type, source.guesses, faults]).toEqual(['json', [], []]);
  });

  it('25.2.2 that are no object, or not sane, are faults of their own', async () => {
    const lines = ['{"a": 1}', '[1]', '{"a": 1, "a": 2}', 'x', '{"b": 2', '{"a": 12345678901234567890}', '{"b": 3}'];
    const { cells, faults } = await read(lines.join('\n'));
    expect(cells).toEqual([
      ['a', 'b'],
      ['1', ''],
      ['', '3'],
    ]);
    expect(faults).toEqual([
      [2, 'The row must be a JSON object, but it is an array.'],
      [3, 'a: This key appears more than once in its object.'],
      [4, expect.stringContaining('The row is not valid JSON')],
      [5, 'The row is not valid JSON: see line 5, column 8.'],
      [6, expect.stringContaining('a: This number has more digits than a double keeps')],
    ]);
    const array = await read('[{"a": 1},\n 7,\n\n {"a": x}, {"a": "]}"}\n]');
    expect(array.cells).toEqual([['a'], ['1'], [']}']]);
    expect(array.faults.map(([line]) => line)).toEqual([2, 4]);
  });

  it.each([
    ['[{"a": 1},\n{"a": 2}', [2, 'The array does not end: is the file whole?']],
    ['[{"a": 1}, {"a": "x', [1, 'The array does not end: is the file whole?']],
    ['[{"a": 1}]\nand more', [2, 'Stands behind the end of the array.']],
  ])('25.2.2 of an array that is not whole are a fault: %j', async (content, fault) => {
    const { cells, faults } = await read(content);
    expect([cells[1], faults.at(-1)]).toEqual([['1'], fault]);
  });

  it('25.2.2 of an array are cut right, whatever the pieces', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const objects = fc.array(fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), value), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(objects, fc.integer({ min: 1, max: 5 }), fc.nat(2), async (all, size, space) => {
      const items = await Array.fromAsync(itemsOfArray(piecesOf(JSON.stringify(all, null, space), size)));
      expect(items.flat().map(({ text }) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(all)));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('25.2.2 are the members of their objects, whatever these hold', async () => {
    const key = fc.string({ unit: 'binary' }).filter((text) => !/["\\\p{Cc}]|^__proto__$/u.test(text));
    const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0'));
    const scalar = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
    const value = fc.oneof(scalar, fc.array(scalar), fc.dictionary(key, scalar));
    const property = fc.asyncProperty(fc.dictionary(key, value, { minKeys: 1 }), async (object) => {
      const json = JSON.stringify(object);
      const open = () => piecesOf(json, 1_000);
      const { cells } = await readRows(jsonRows({ first: open, second: open }, 'lines'));
      const texts = Object.values(object).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
      expect(cells).toEqual([Object.keys(object), texts.map((text) => (text === 'null' ? '' : text))]);
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('25.2.2 in one document are refused, with the way to make lines of them', async () => {
    const asked = await failureOf(open('{\n  "accounts": [{"id": 1}]\n}\n'));
    expect(asked).toMatch(/^a\.csv is one JSON document: .*\n.*jq -c '\.accounts\[\]' FILE/);
  });
});

describe('a file of rows', () => {
  it('25.2.2 may be packed with gzip or zstd; its bytes are counted as they lie on the disk', async () => {
    const text = `id,name\n${'1,a\n'.repeat(100_000)}`;
    for (const packed of [gzipSync(text), zstdCompressSync(text), Buffer.from(text)]) {
      const [source] = await open(packed);
      if (source === undefined) throw new Error('No source.');
      let bytes = 0;
      const { all } = await readRows(
        rowsOf(source, (more) => {
          bytes += more;
        }),
      );
      expect([all.length, bytes, source.bytes]).toEqual([100_001, packed.length, packed.length]);
    }
    expect(await failureOf(open(gzipSync(text).subarray(0, 100)))).toMatch(/^a\.csv: This cannot be unpacked as gzip/);
    expect(await failureOf(open(gzipSync('PK\x03\x04')))).toContain('was packed again. Unpack it first.');
  });

  it.each([
    ['{"a": 1}\n', '{"a": 2}\n'],
    ['a\n1\n', '2\n'],
  ])('25.2.2 that changes while it is read ends the reading: %j', async (content, more) => {
    const [source] = await open(content);
    if (source === undefined) throw new Error('No source.');
    await appendFile(source.path, more);
    expect(await failureOf(readRows(rowsOf(source)))).toContain('a.csv has changed while it was read.');
    const [again] = await open(content);
    if (again === undefined) throw new Error('No source.');
    await utimes(again.path, 1, 1);
    expect(await failureOf(readRows(rowsOf(again)))).toContain('Run the command again when nothing writes to it.');
  });

  it('25.2.2 has to be there, with something in it', async () => {
    const folder = await temporaryFolder();
    await mkdir(path.join(folder, 'b'));
    const at = (name: string) => openSources({ name, path: path.join(folder, name) }, FLAGS);
    expect(await failureOf(at('none.csv'))).toBe('none.csv cannot be read: there is no such file.');
    expect(await failureOf(at('b'))).toBe('b is a folder: name the files in it.');
    expect(await failureOf(at('../../../../../../dev/null'))).toContain('is no file, and is read more than once');
    expect(await failureOf(open(''))).toMatch(/^a\.csv is empty: it needs a header\.\n.*causeway sample --csv sample/);
    for (const blank of ['\n\n', '\uFEFF']) expect((await read(blank)).all).toEqual([]);
  });

  it.each([
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'Save it in the spreadsheet program as CSV UTF-8'],
    ['HTML', '\n<html><table>', 'is HTML or XML, whatever its name says.'],
    ['a PDF', '%PDF-1.7', 'Export the data itself, as CSV.'],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'is a picture.'],
    ['7z', Buffer.from('377abcaf271c', 'hex'), 'Unpack it, and give the files in it.'],
    ['a database', 'SQLite format 3\0', 'Export its tables, as CSV.'],
    ['packed HTML', gzipSync('<!DOCTYPE html>'), 'is HTML or XML, whatever its name says.'],
  ])('25.2.2 of another form is refused with what to do: %s', async (_name, content, sentence) => {
    expect(await failureOf(open(content))).toContain(sentence);
  });
});
