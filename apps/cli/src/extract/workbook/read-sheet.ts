import type { TextRow, TextRows } from '../text-row.ts';
import { textOfDays, textOfNumber, textOfString } from './cell-text.ts';
import { readXml, type XmlListener } from './read-xml.ts';

/** What the cells of a sheet refer to. */
export interface SheetContext {
  strings: readonly string[];
  /** By the number of a style: whether it shows numbers as dates. */
  dateStyles: readonly boolean[];
  /** Days are counted from 1904 on, not from 1900. */
  isFrom1904: boolean;
  /** Rows above this line are left out. */
  from: number;
}

/** The rows of a sheet's XML: `Workbook.rows` says how. */
export async function* readSheet(pieces: AsyncIterable<Uint8Array>, context: SheetContext): TextRows {
  const reader = new SheetReader(context);
  for await (const _ of readXml(pieces, reader)) yield reader.take();
}

interface OpenCell {
  /** From 0. */
  column: number;
  type: string;
  style: number;
  hasFormula: boolean;
  value: string | undefined;
}

const MAX_COLUMNS = 16_384;

class SheetReader implements XmlListener {
  readonly #context: SheetContext;
  #rows: TextRow[] = [];
  #width: number | undefined;
  #line = 0;
  #cells: string[] = [];
  #fault: string | undefined;
  #cell: OpenCell | undefined;
  #isText = false;
  #isPhonetic = false;

  constructor(context: SheetContext) {
    this.#context = context;
  }

  take(): TextRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: () => Record<string, string>): void {
    if (name === 'row') this.#line = Number(attributes().r) || this.#line + 1;
    else if (name === 'c') this.#cell = openCell(attributes(), this.#cells.length);
    else if (this.#cell === undefined) return;
    else if (name === 'f') this.#cell.hasFormula = true;
    else if (name === 'rPh') this.#isPhonetic = true;
    else if (name === 'v' || (name === 't' && !this.#isPhonetic)) {
      this.#isText = true;
      this.#cell.value ??= '';
    }
  }

  text(text: string): void {
    if (this.#isText && this.#cell !== undefined) this.#cell.value += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
  }

  #closeCell(): void {
    const cell = this.#cell;
    this.#cell = undefined;
    if (cell === undefined || cell.column >= MAX_COLUMNS) return;
    const text = textOf(cell, this.#context);
    if ('fault' in text) this.#fault ??= `Column ${nameOfColumn(cell.column)} ${text.fault}`;
    else if (text.text !== '') {
      while (this.#cells.length < cell.column) this.#cells.push('');
      this.#cells[cell.column] = text.text;
    }
  }

  #closeRow(): void {
    const [cells, fault] = [this.#cells, this.#fault];
    this.#cells = [];
    this.#fault = undefined;
    if (this.#line < this.#context.from || (fault === undefined && cells.every((cell) => cell === ''))) return;
    this.#width ??= cells.length;
    while (cells.length < this.#width) cells.push('');
    this.#rows.push({ line: this.#line, cells, ...(fault !== undefined && { fault }) });
  }
}

function openCell({ r: place, t: type = 'n', s: style }: Record<string, string>, next: number): OpenCell {
  const column = place === undefined ? next : columnNamed(place);
  return { column, type, style: Number(style), hasFormula: false, value: undefined };
}

/** The column of a place such as AB12, from 0. */
function columnNamed(place: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,4}/i.exec(place)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function nameOfColumn(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest === 0 ? '' : nameOfColumn(rest - 1)) + String.fromCharCode(65 + (column % 26));
}

const NO_VALUE = 'is a formula without a value: open the workbook in a spreadsheet program, and save it again.';

function textOf(
  { type, value, style, hasFormula }: OpenCell,
  context: SheetContext,
): { text: string } | { fault: string } {
  if (hasFormula && !value && (value === undefined || type !== 'str')) return { fault: NO_VALUE };
  if (type === 'e') return { fault: 'holds an error of the spreadsheet, such as #REF!.' };
  if (value === undefined || value === '') return { text: '' };
  if (type === 's') {
    const text = context.strings[Number(value)];
    return text === undefined ? { fault: 'refers to a text that is not there: the workbook is damaged.' } : { text };
  }
  if (type === 'b') return { text: value === '1' ? 'true' : 'false' };
  if (type !== 'n') return { text: textOfString(value) };
  if (context.dateStyles[style] !== true) return { text: textOfNumber(value) };
  const text = textOfDays(Number(value), context.isFrom1904);
  return text === undefined ? { fault: 'holds a date before 1900, or none.' } : { text };
}
