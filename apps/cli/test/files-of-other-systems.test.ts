import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openSources } from '../src/extract/source.ts';
import { tableNames } from '../src/extract/table-names.ts';
import { loadTable } from '../src/extract/tables.ts';
import { causeway, temporaryFolder } from './support/causeway.ts';
import { linesOf } from './support/convert.ts';
import { FLAGS, open } from './support/extract.ts';

/** A head, three accounts with their movements, a note over two lines, and a trailer. */
const LEDGER = [
  '0;LEDGER;2026;MAY',
  ...['101', '102', '103'].flatMap((account) => [
    `1;${account};Ana`,
    `3;${account};2026-05-01;10,00;D`,
    `3;${account};2026-05-02;4,00;H`,
  ]),
  '5;101;2026-05-03;',
  '3;101;2026-05-04;"1,00";"D\nlate"',
  '9;7',
].join('\n');
const ACCOUNTS = `CREATE TEMP VIEW accounts AS SELECT column_2 AS external_account_number, 'HARBOUR-VALE' AS import_supplier,
  column_3 AS billing_name, _file, _line FROM main.ledger_1;`;

async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}

/** A file as the tables that it becomes: their rows with their lines, and what is said of them. */
async function tablesOf(content: string, flags: { recordKinds?: boolean } = {}) {
  const folder = await folderOf({ 'ledger.csv': content });
  const at = { name: 'ledger.csv', path: path.join(folder, 'ledger.csv') };
  const sources = await openSources(at, { ...FLAGS, ...flags });
  const names = tableNames(sources);
  const database = new DatabaseSync(':memory:');
  const tables = [];
  for (const [index, source] of sources.entries()) {
    const name = names[index] ?? '';
    const { remarks, columns } = await loadTable(database, { source, name }, { rows: () => {}, bytes: () => {} });
    const rows = database.prepare(`SELECT * FROM "${name}"`).all();
    tables.push({ name, remarks, columns, rows });
  }
  return tables;
}

describe('a file with several kinds of record', () => {
  it('25.2.2 becomes a table a kind, and every row is in one of them, with its file and line', async () => {
    const tables = await tablesOf(LEDGER, { recordKinds: true });
    expect(tables.map(({ name, rows }) => [name, rows.map(({ _line }) => _line)])).toEqual([
      ['ledger_0', [1]],
      ['ledger_1', [2, 5, 8]],
      ['ledger_3', [3, 4, 6, 7, 9, 10, 12]],
      ['ledger_5', [11]],
      ['ledger_9', [14]],
    ]);
    expect(tables[2]?.columns).toEqual(['column_1', 'column_2', 'column_3', 'column_4', 'column_5']);
    expect(tables[2]?.rows.at(-1)).toMatchObject({ column_4: '1,00', column_5: 'D\nlate', _fault: null });
    expect(tables[4]?.rows).toMatchObject([{ column_1: '9', column_2: '7', _file: 'ledger.csv (9)' }]);
  });

  it('25.2.2 a row that is cut, or cannot be read, is a damaged row of its kind, or of the first one', async () => {
    const tables = await tablesOf(`${LEDGER}\n3;104\n3;105;"a"b;1;D\n"x`, { recordKinds: true });
    const faults = tables.map(({ rows }) => rows.flatMap(({ _fault, _line }) => (_fault === null ? [] : [_line])));
    expect(faults).toEqual([[17], [], [15, 16], [], []]);
  });

  it('25.2.2 is asked about once, with the flag in the one command that answers everything', async () => {
    const directory = await folderOf({
      'in/ledger.csv': LEDGER,
      'in/b.csv': Buffer.from('ID;NOMBRE\n1;Jos\xE9\n', 'latin1'),
    });
    const asked = await causeway(['map', 'in'], { directory });
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('several kinds of record')]);
    const command = asked.stderr.slice(asked.stderr.indexOf('causeway map'));
    expect(command).toContain('--encoding b.csv=windows-1252');
    expect(command).toContain('--record-kinds ledger.csv');
    const words = command
      .trim()
      .split(/[\s\\]+/)
      .slice(1);
    const mapped = await causeway(words, { directory });
    expect([mapped.code, mapped.stderr]).toEqual([0, expect.stringContaining('ledger.csv (9): 1 row')]);
    expect(mapped.stdout).toContain('--record-kinds ledger.csv');
    expect(await readFile(path.join(directory, 'mapping.sql'), 'utf8')).toContain('ledger_3: 7 rows');
  });

  it('25.2.11 is read by a mapping, here and by map check', async () => {
    const directory = await folderOf({ 'ledger.csv': LEDGER, 'mapping.sql': ACCOUNTS });
    const files = ['ledger.csv', '--record-kinds', 'ledger.csv'];
    const converted = await causeway(['convert', ...files, '--mapping', 'mapping.sql', '-o', 'book.ndjson'], {
      directory,
    });
    expect([converted.code, converted.stderr]).toEqual([0, expect.anything()]);
    expect(await linesOf(path.join(directory, 'book.ndjson'))).toHaveLength(3);
    const checked = await causeway(['map', 'check', 'mapping.sql', ...files], { directory });
    expect(checked.stderr).toContain('ledger.csv (3): 7 rows');
    const refused = await causeway(['convert', '--accounts', ...files, '-o', 'other.ndjson'], { directory });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--record-kinds needs --mapping')]);
  });

  it('25.2.2 a table with a header, titles, lines that are cut, or a count below is none', async () => {
    const tables = [
      'KIND;A;B\nX;1;2\nX;3;4\nY;5;6\nY;7;8\nEND;2\n',
      'Report\nKIND;A;B\nX;1;2\nX;3;4\nX;5;6\n',
      'ID,A,B\n1,2,3\n2,3\n3,4,5\n4,5\n5,6,7\n',
    ];
    for (const content of tables) await open(content, { recordKinds: false });
  });
});

describe('a folder', () => {
  it('25.2.11 is all its files, but for what commands wrote there, and what is left out is said', async () => {
    const directory = await folderOf({
      'in/a.csv': 'ID,Name\n1,Ana\n2,Bo\n',
      'in/README.txt': 'The files of May.\nAsk Ann; she knows.\nBye',
      'in/mapping.sql': ACCOUNTS,
      'in/old/b.csv': 'ID\n1\n',
    });
    const mapped = await causeway(['map', 'in'], { directory });
    expect(mapped.code).toBe(0);
    expect(mapped.stderr).toContain('in is a folder: 2 files; left out: mapping.sql, old.');
    expect(mapped.stderr).toContain(
      'in/README.txt: left out, because it is a letter and has no columns. To read it as rows:',
    );
    expect(await readFile(path.join(directory, 'mapping.sql'), 'utf8')).not.toContain('readme');
  });

  it('25.2.11 without files, or with letters alone, is refused; a table is read whatever its name', async () => {
    const directory = await folderOf({ 'in/x/a.csv': 'ID\n1\n', 'README.txt': 'Hello.', 'leeme.csv': 'A;B\n1;2\n' });
    const empty = await causeway(['map', 'in'], { directory });
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('without a file to read')]);
    const letter = await causeway(['map', 'README.txt'], { directory });
    expect([letter.code, letter.stderr]).toEqual([2, expect.stringContaining('None of the files has rows')]);
    const table = await causeway(['map', 'leeme.csv'], { directory });
    expect([table.code, table.stderr]).toEqual([0, expect.stringContaining('leeme.csv: 1 row')]);
  });
});

describe('a table that was written for a printer', () => {
  it('25.2.2 is read without what stands between its pages, which is counted', async () => {
    const rows = (from: number) => Array.from({ length: 3 }, (_, index) => `${from + index};Ana;1,00`).join('\n');
    const page = (number: number) => `Listado   PÁG. ${number}\nID;NAME;SUM\n-----;----;---\n`;
    const content = [1, 2, 3].map((number) => `${page(number)}${rows(number * 10)}\n`).join('');
    const [table] = await tablesOf(`${content}*** FIN: 9 FILAS ***\n\x1A`);
    expect(table?.rows.map(({ ID, _fault }) => [ID, _fault])).toEqual(
      [10, 11, 12, 20, 21, 22, 30, 31, 32].map((id) => [String(id), null]),
    );
    expect(table?.remarks).toContain('7 lines between pages left out, the first on line 3');
    expect(table?.remarks.join()).toContain('2 lines below the table left out');
  });

  it('25.2.2 a row with the number of a page among other values is a row', async () => {
    const [table] = await tablesOf('ID;TEXT;PAGE\n1;see page 2;7\n2;;\n3;page 4;\nsee page 5;;\n');
    expect(table?.rows).toHaveLength(4);
  });
});
