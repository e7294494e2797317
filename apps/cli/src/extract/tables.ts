import type { DatabaseSync } from 'node:sqlite';
import { counted } from '../terminal/numbers.ts';
import { columnNames } from './column-names.ts';
import { isEmpty } from './file-bytes.ts';
import { FixedWidthRemarks } from './fixed-width-remarks.ts';
import { isFooter, isPageHead } from './footers.ts';
import { rowsOf, type Source } from './source.ts';
import { quotedName, quotedText } from './sql-names.ts';
import { SymbolsInWords } from './symbols-in-words.ts';
import type { TextRow } from './text-row.ts';

/** What a source has become in the store: a table of text, with `_file`, `_line` and `_fault`. */
export interface TextTable {
  name: string;
  source: Source;
  /** The headers, in the order of the file. */
  columns: readonly string[];
  rows: number;
  /** Lines below the rows, which were left out. */
  footers: readonly Footer[];
  /** What was left out, in words. */
  remarks: readonly string[];
}

/** A line below the rows; its cells with their columns, where it has any. */
interface Footer {
  line: number;
  cells: readonly { column: string | undefined; text: string }[];
}

const ROWS_BETWEEN_CALLS = 1_000;

/**
 * Reads a source into a table, each cell as it stands. Blank rows, rows of separators, heads of pages, last rows that add up or count the
 * others, and empty columns without a header are left out, and remarked.
 *
 * @param mostRows those behind so many are not read
 * @param on called now and then; throws to stop
 * @throws Failure where the headers cannot be the columns of a table
 */
export async function loadTable(
  database: DatabaseSync,
  { source, name, mostRows = Number.POSITIVE_INFINITY }: { source: Source; name: string; mostRows?: number },
  on: { rows: (rows: number) => void; bytes: (bytes: number) => void },
): Promise<TextTable> {
  let table: OpenTable | undefined;
  let untold = 0;
  for await (const rows of rowsOf(source, on.bytes)) {
    for (const row of rows) {
      table ??= isBlank(row.cells) ? undefined : new OpenTable(database, { source, name }, row.cells);
      if (table === undefined || table.header === row.cells) continue;
      if (row.isFooter) table.addFooter(row);
      if (row.isFooter) continue;
      if (table.rows >= mostRows) break;
      table.add(row);
      untold += 1;
      if (untold < ROWS_BETWEEN_CALLS) continue;
      on.rows(untold);
      untold = 0;
    }
    if (table !== undefined && table.rows >= mostRows) break;
  }
  on.rows(untold);
  if (table === undefined) throw isEmpty(source.name);
  return table.close(table.rows < mostRows);
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

class OpenTable {
  readonly header: readonly string[];
  readonly #database: DatabaseSync;
  readonly #of: { source: Source; name: string };
  readonly #columns: readonly string[];
  readonly #insert;
  /** Up to the last column with a header. */
  readonly #namedWidth: number;
  /** Lines below the rows. */
  readonly #footers: Footer[] = [];
  /** Lines between its pages. */
  readonly #pageHeads: number[] = [];
  #rows = 0;
  #blankRows = 0;
  readonly #ofFixedWidth = new FixedWidthRemarks();
  readonly #symbols: SymbolsInWords;

  constructor(database: DatabaseSync, of: { source: Source; name: string }, header: readonly string[]) {
    this.header = header;
    this.#database = database;
    this.#of = of;
    this.#symbols = new SymbolsInWords(of.source);
    this.#columns = columnNames(header, of.source.name);
    this.#namedWidth = header.findLastIndex((text) => text.trim() !== '') + 1;
    const name = quotedName(of.name);
    const file = `_file TEXT GENERATED ALWAYS AS (${quotedText(of.source.name)}) VIRTUAL`;
    const columns = this.#columns.map((column) => `${quotedName(column)} TEXT`);
    database.exec(`CREATE TABLE ${name} (${[...columns, '_line INTEGER', '_fault TEXT', file].join(', ')})`);
    const places = ['?', '?', ...columns.map(() => '?')].join(', ');
    this.#insert = database.prepare(`INSERT INTO ${name} VALUES (${places})`);
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: TextRow): void {
    const { line, cells, fault } = row;
    if (fault === undefined && isPageHead(cells, this.header)) {
      this.#pageHeads.push(line);
      return;
    }
    this.#ofFixedWidth.add(row);
    this.#symbols.add(row);
    const width = this.#columns.length;
    if (fault === undefined && cells[0]?.trim() === '' && isBlank(cells)) this.#blankRows += 1;
    else if (cells.length === width) this.#store(cells, line, fault);
    else {
      const whole = Array.from({ length: width }, (_, index) => cells[index] ?? '');
      const fits = cells.length >= this.#namedWidth && isBlank(cells.slice(width));
      this.#store(whole, line, fits ? fault : (fault ?? this.#widthFault(cells.length)));
    }
  }

  addFooter({ line, cells }: TextRow): void {
    this.#footers.push({ line, cells: cells.map((text) => ({ column: undefined, text })) });
  }

  #store(cells: readonly string[], line: number, fault: string | undefined): void {
    this.#insert.run(...cells, line, fault ?? null);
    this.#rows += 1;
  }

  #widthFault(cells: number): string {
    return `Has ${counted(cells, 'cell')}, and the header has ${this.#columns.length}.`;
  }

  /** @param isWhole its last row is the last one of the file */
  close(isWhole: boolean): TextTable {
    const { name, source } = this.#of;
    const footers = isWhole ? [...this.#leaveOutFooters(), ...this.#footers] : [];
    const unnamed = this.#columns.filter((_column, index) => this.header[index]?.trim() === '');
    const empty = unnamed.filter((column) => !this.#holdsValues(column));
    const remarks = [
      ...(empty.length > 0 ? [`${counted(empty.length, 'empty column')} without a header left out`] : []),
      ...(footers.length > 0
        ? [
            `${counted(footers.length, 'line')} below the table left out, on line ${footers.map(({ line }) => line).join(', ')}`,
          ]
        : []),
      ...(this.#pageHeads.length > 0
        ? [`${counted(this.#pageHeads.length, 'line')} between pages left out, the first on line ${this.#pageHeads[0]}`]
        : []),
      ...this.#ofFixedWidth.sentences,
      ...this.#symbols.sentences,
      ...(this.#blankRows > 0 ? [`${counted(this.#blankRows, 'blank row')} left out`] : []),
    ];
    const columns = this.#columns.filter((column) => !empty.includes(column));
    return { name, source, columns, rows: this.#rows, footers, remarks };
  }

  #leaveOutFooters(): Footer[] {
    const footers: Footer[] = [];
    const name = quotedName(this.#of.name);
    const cells = this.#columns.map((column, index) => `${quotedName(column)} AS c${index}`).join(', ');
    const from = `FROM ${name} ORDER BY _rowid_ DESC LIMIT 1`;
    const last = this.#database.prepare(`SELECT _rowid_ AS id, _line AS line, _fault AS fault, ${cells} ${from}`);
    for (let row = last.get(); row !== undefined; row = last.get()) {
      const { id = 0, line, fault, ...texts } = row;
      const isWhole = fault === null;
      const cells = Object.values(texts).map((text, index) => {
        return { column: isWhole ? this.#columns[index] : undefined, text: String(text) };
      });
      const rows = isWhole ? undefined : this.#rows - 1;
      if (
        !isFooter(
          cells.map(({ text }) => text),
          rows,
        )
      )
        break;
      this.#database.prepare(`DELETE FROM ${name} WHERE _rowid_ = ?`).run(id);
      footers.unshift({ line: Number(line), cells });
      this.#rows -= 1;
    }
    return footers;
  }

  #holdsValues(column: string): boolean {
    const from = `FROM ${quotedName(this.#of.name)} WHERE trim(${quotedName(column)}) <> ''`;
    return this.#database.prepare(`SELECT 1 ${from} LIMIT 1`).get() !== undefined;
  }
}
