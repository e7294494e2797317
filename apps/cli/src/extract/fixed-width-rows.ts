import { Failure } from '../frame/failure.ts';
import { isFooterLine } from './footers.ts';
import { type TextLine, textLines } from './text-lines.ts';
import { type TextRow, type TextRows, TOO_LONG } from './text-row.ts';

/** Where a column of a file of fixed width stands: its characters, from 1. */
export interface WidthOfColumn {
  name: string;
  from: number;
  to: number;
}

const EXAMPLE = 'external_account_number:1-10,billing_name:11-40';

/**
 * Columns as a flag gives them, such as `external_account_number:1-10,billing_name:11-40`.
 *
 * @throws Failure where it is none of that form, or two columns overlap
 */
export function widthsNamed(given: string): readonly WidthOfColumn[] {
  const widths = given.split(',').map(widthNamed);
  const inOrder = widths.toSorted((one, other) => one.from - other.from);
  for (const [index, column] of inOrder.entries()) {
    const next = inOrder[index + 1];
    if (next === undefined || column.to < next.from) continue;
    throw new Failure('usage', `--fixed-width: the columns ${column.name} and ${next.name} share characters.`);
  }
  return widths;
}

function widthNamed(given: string): WidthOfColumn {
  const [, name, first, last] = /^\s*([^:]+):(\d{1,6})(?:-(\d{1,6}))?\s*$/.exec(given) ?? [];
  if (name === undefined || first === undefined) {
    const sentence = `--fixed-width: "${given.trim()}" is no column. Give its name, and its first and last character.`;
    throw new Failure('usage', sentence, { lines: [`  Such as ${EXAMPLE}`] });
  }
  const [from, to] = [Number(first), Number(last ?? first)];
  if (from >= 1 && to >= from) return { name, from, to };
  const sentence = `--fixed-width: ${name} is said to go from character ${from} to ${to}. The first one of a line is 1.`;
  throw new Failure('usage', sentence, { lines: [`  Such as ${EXAMPLE}`] });
}

/**
 * The rows of a file whose columns have fixed places, blank lines left out; the columns' names are the header. Spaces
 * behind a cell are no part of it. Each row says which of its characters are in no column, and not blank.
 *
 * @param headerLine rows begin on the line behind it
 */
export async function* fixedWidthRows(
  text: AsyncIterable<string>,
  columns: readonly WidthOfColumn[],
  headerLine = 0,
): TextRows {
  yield [{ line: 0, cells: columns.map(({ name }) => name) }];
  const gaps = gapsBetween(columns);
  /** Footers, unless a row is below them. */
  let last: { row: TextRow; text: string }[] = [];
  for await (const lines of textLines(text)) {
    const rows: TextRow[] = [];
    for (const line of lines) {
      if (line.number <= headerLine || (line.text.trim() === '' && !line.isTooLong)) continue;
      const row = rowOf(line, columns, gaps);
      if (isFooterLine(line, row.cells)) last.push({ row, text: line.text });
      else {
        rows.push(...last.map((before) => before.row), row);
        last = [];
      }
    }
    yield rows;
  }
  yield last.map(({ row, text: whole }): TextRow => ({ line: row.line, cells: [whole], isFooter: true }));
}

function rowOf(
  { number, text, isTooLong }: TextLine,
  columns: readonly WidthOfColumn[],
  gaps: readonly WidthOfColumn[],
): TextRow {
  if (isTooLong) return { line: number, cells: [], fault: TOO_LONG };
  const characters = charactersOf(text);
  const cells = columns.map(({ from, to }) => characters.slice(from - 1, to).trimEnd());
  const unread = gaps.filter(({ from, to }) => characters.slice(from - 1, to).trim() !== '');
  return {
    line: number,
    cells,
    length: characters.length,
    ...(unread.length > 0 && { unread: unread.map(({ name }) => name) }),
  };
}

/** The characters before, between and behind the columns. */
function gapsBetween(columns: readonly WidthOfColumn[]): readonly WidthOfColumn[] {
  const gaps: WidthOfColumn[] = [];
  let from = 1;
  for (const column of columns.toSorted((one, other) => one.from - other.from)) {
    const to = column.from - 1;
    if (to >= from) gaps.push({ name: to === from ? `${from}` : `${from}-${to}`, from, to });
    from = column.to + 1;
  }
  return [...gaps, { name: `from ${from} on`, from, to: Number.POSITIVE_INFINITY }];
}

const MIN_LINES = 3;
const MIN_CHARACTERS = 20;

/**
 * The length of all lines of a text that looks as if its columns had fixed places: all are as long, the last one aside,
 * with cells that spaces fill.
 *
 * @param head the beginning of a file
 */
export function fixedWidthOf(head: string): number | undefined {
  const lines = head
    .split(/\r\n|\n|\r/)
    .filter((line) => line !== '')
    .slice(0, -1);
  const [{ length } = ''] = lines;
  const isFixed =
    lines.length >= MIN_LINES && length >= MIN_CHARACTERS && lines.every((line) => line.length === length);
  return isFixed && lines.some((line) => /\S {2,}\S/.test(line)) ? length : undefined;
}

/** Some characters, such as emoji, are two units of a string. */
function charactersOf(text: string): { length: number; slice(start: number, end?: number): string } {
  if (!/[\uD800-\uDFFF]/.test(text)) return text;
  const characters = [...text];
  return { length: characters.length, slice: (start, end) => characters.slice(start, end).join('') };
}
