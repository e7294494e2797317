import { Failure } from '../frame/failure.ts';
import { MAX_LINE_CHARACTERS, type TextLine, textLines } from './text-lines.ts';
import { type TextRow, type TextRows, TOO_LONG } from './text-row.ts';

const NOT_CLOSED = 'A quote that opens here is not closed.';
const MISPLACED =
  'A quote stands within a cell. If this file never puts cells in quotes, give --quotes none. Otherwise put the cell in quotes, and write each quote in it twice.';

/** The separator of a first line that a spreadsheet writes for itself: `sep=;`. */
export function separatorSaid(line: string): string | undefined {
  return /^"?sep=(.)"?$/i.exec(line)?.[1];
}

/**
 * The rows of CSV (RFC 4180), blank lines left out: a cell in quotes may hold separators, line breaks, and quotes that are
 * written twice. A row whose quotes do not match comes with a fault and the cells before it, and reading resumes at the
 * next line. So it is with a row of several lines that has not as many cells as the header: its quote was closed by that
 * of another row. Of a file that never puts cells in quotes, a quote is a character like any other. A first line such as `sep=;` says how the file is written, and is no row.
 *
 * @param from the line of the first row; those above it are left out
 */
export async function* csvRows(text: AsyncIterable<string>, form: CsvForm, from = 1): TextRows {
  const reader = new CsvReader(form, from);
  for await (const lines of textLines(text)) yield reader.read(lines);
  yield reader.end();
}

/** Whether cells may stand in quotes, by the flag `--quotes`. */
export function hasQuotes(said: string | undefined): boolean {
  if (said === undefined || said === 'none') return said === undefined;
  throw new Failure('usage', `--quotes takes none, for a file that never puts cells in quotes; not "${said}".`);
}

/** How a file separates cells, and whether they may stand in quotes. */
interface CsvForm {
  separator: string;
  hasQuotes: boolean;
  /** Rows that begin with another cell may have another number of cells. */
  hasKinds?: boolean;
}

class CsvReader {
  readonly #separator: string;
  readonly #hasQuotes: boolean;
  readonly #hasKinds: boolean;
  readonly #from: number;
  #rows: TextRow[] = [];
  /** Of the header; of the first row of each kind, where there are several. */
  readonly #widths = new Map<string, number>();
  #open: OpenRow | undefined;

  constructor({ separator, hasQuotes, hasKinds = false }: CsvForm, from: number) {
    this.#separator = separator;
    this.#hasQuotes = hasQuotes;
    this.#hasKinds = hasKinds;
    this.#from = from;
  }

  read(lines: readonly TextLine[]): TextRow[] {
    for (const line of lines) this.#readLine(line);
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  end(): TextRow[] {
    this.#rejectOpen();
    return this.read([]);
  }

  #readLine(line: TextLine): void {
    if (line.number < this.#from) return;
    if (line.isTooLong) {
      this.#rejectOpen();
      this.#rows.push({ line: line.number, cells: [], fault: TOO_LONG });
    } else if (line.number > 1 || separatorSaid(line.text) === undefined) this.#readCells(line);
  }

  #readCells(line: TextLine): void {
    if (this.#open === undefined && !(this.#hasQuotes && line.text.includes('"'))) {
      if (line.text !== '') this.#add({ line: line.number, cells: line.text.split(this.#separator) });
      return;
    }
    const row = this.#open ?? new OpenRow(this.#separator);
    const state = row.read(line);
    this.#open = state === 'open' ? row : undefined;
    if (state === 'misplaced') this.#reject(row, row.lines.length === 1 ? MISPLACED : NOT_CLOSED);
    else if (state === 'open' && row.characters > MAX_LINE_CHARACTERS) this.#reject(row, NOT_CLOSED);
    else if (
      state === 'whole' &&
      row.lines.length > 1 &&
      row.cells.length !== (this.#widths.get(this.#kindOf(row)) ?? row.cells.length)
    )
      this.#reject(row, NOT_CLOSED);
    else if (state === 'whole') this.#add({ line: row.number, cells: row.cells });
  }

  #add(row: TextRow): void {
    const kind = this.#kindOf(row);
    if (!this.#widths.has(kind)) this.#widths.set(kind, row.cells.length);
    this.#rows.push(row);
  }

  #kindOf({ cells: [first = ''] }: Pick<TextRow, 'cells'>): string {
    return this.#hasKinds ? first.trim() : '';
  }

  /** A line that is read again may open another row. */
  #rejectOpen(): void {
    while (this.#open !== undefined) this.#reject(this.#open, NOT_CLOSED);
  }

  /** The first line of a row has a fault; those behind it are read again. */
  #reject({ number, firstCells, lines }: OpenRow, fault: string): void {
    this.#open = undefined;
    this.#rows.push({ line: number, cells: firstCells, fault });
    for (const line of lines.slice(1)) this.#readLine(line);
  }
}

/** A row with quotes, which may continue on further lines. */
class OpenRow {
  readonly #separator: string;
  readonly lines: TextLine[] = [];
  readonly cells: string[] = [];
  characters = 0;
  /** Those before the quote that opens last in the first line. */
  firstCells: readonly string[] = [];
  /** The text of a cell whose quote is open. */
  #quoted: string | undefined;

  constructor(separator: string) {
    this.#separator = separator;
  }

  get number(): number {
    return this.lines[0]?.number ?? 0;
  }

  read(line: TextLine): 'whole' | 'open' | 'misplaced' {
    this.lines.push(line);
    this.characters += line.text.length + line.ending.length;
    const state = this.#readCells(line.text);
    if (state === 'open') this.#quoted += line.ending;
    if (this.lines.length === 1) this.firstCells = [...this.cells];
    return state;
  }

  #readCells(text: string): 'whole' | 'open' | 'misplaced' {
    for (let at = 0; ; ) {
      if (this.#quoted === undefined && text[at] === '"') {
        this.#quoted = '';
        at += 1;
      }
      const isQuoted = this.#quoted !== undefined;
      const end = isQuoted ? closingQuote(text, at) : at;
      if (end === -1) {
        this.#quoted += text.slice(at).replaceAll('""', '"');
        return 'open';
      }
      const separator = text.indexOf(this.#separator, end);
      const behind = separator === -1 ? text.length : separator;
      const cell = isQuoted ? this.#quoted + text.slice(at, end).replaceAll('""', '"') : text.slice(at, behind);
      if (isQuoted ? behind !== end + 1 : cell.includes('"')) return 'misplaced';
      this.cells.push(cell);
      this.#quoted = undefined;
      if (separator === -1) return 'whole';
      at = separator + this.#separator.length;
    }
  }
}

/** Where the quote is that ends a cell, not one of two; -1: it continues. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
