import { Failure } from '../frame/failure.ts';
import { counted } from '../terminal/numbers.ts';
import { flagWith, Question } from './question.ts';
import type { TextRow, TextRows } from './text-row.ts';

/** Where the header of a table stands. */
export interface FoundHeader {
  /** Undefined: it is the first row. */
  line: number | undefined;
  /** What nobody said, in words. */
  guesses: readonly string[];
}

/** So many rows are looked at. */
const ROWS_OF_HEAD = 50;

/** The first rows, as many as a header is looked for in. */
export async function headOfRows(rows: TextRows): Promise<readonly TextRow[]> {
  const head: TextRow[] = [];
  for await (const some of rows) {
    head.push(...some.slice(0, ROWS_OF_HEAD));
    if (head.length > ROWS_OF_HEAD) break;
  }
  return head;
}

const IS_FIRST: FoundHeader = { line: undefined, guesses: [] };

/**
 * What the flag says: a line, or `first` for the first row.
 *
 * @throws Failure where it says neither
 */
export function headerNamed(given: string): FoundHeader {
  if (given === 'first') return IS_FIRST;
  if (/^[1-9]\d{0,6}$/.test(given)) return { line: Number(given), guesses: [] };
  throw new Failure('usage', `--header-line takes the number of a line, or first; not "${given}".`);
}

/**
 * Finds the header by its flag, or below titles: the first row that fills more than half of the cells that rows here
 * fill. It is taken where that is unmistakable: all rows above it have one or two cells and less than half of its own, and
 * it has names where the rows below have values.
 *
 * @param rows the first ones
 * @throws Failure where the flag gives no line; a Question where the header may be another row than the first
 */
export function findHeader(
  rows: readonly TextRow[],
  { name, given, flag }: { name: string; given: string | undefined; flag: string },
): FoundHeader {
  if (given !== undefined) return headerNamed(given);
  const [first, ...others] = rows.filter((row) => row.fault === undefined && filled(row) > 0).slice(0, ROWS_OF_HEAD);
  const usual = others.map(filled).sort((one, other) => one - other)[others.length >> 1] ?? 0;
  if (first === undefined || usual < 2 || filled(first) * 2 > usual) return IS_FIRST;
  const at = others.findIndex((row) => filled(row) * 2 > usual);
  const [header, ...below] = others.slice(at);
  if (header === undefined || header.cells.some(isValue)) return IS_FIRST;
  const isSure = isHeader(header, below);
  if (!isSure && usual === 2) return IS_FIRST;
  const titles = [first, ...others.slice(0, at)];
  if (isSure && titles.every((row) => filled(row) <= 2 && filled(row) * 2 < filled(header))) {
    const above = `${counted(header.line - 1, 'line')} above it left out`;
    return { line: header.line, guesses: [`the header is line ${header.line}; ${above}`] };
  }
  const sentence = `${name} may have its header on line ${header.line}: line ${first.line} has ${counted(filled(first), 'cell')}, and line ${header.line} has ${filled(header)}.`;
  const flags = [flagWith(flag, header.line)];
  throw new Question(sentence, {
    lines: [`  Give ${flags[0]} or, if the first row is it, ${flagWith(flag, 'first')}`],
    flags,
  });
}

const filled = ({ cells }: TextRow) => cells.filter((cell) => cell.trim() !== '').length;

/** Names that are not repeated, and a column of values below one without a digit. */
function isHeader({ cells }: TextRow, below: readonly TextRow[]): boolean {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const written = names.filter((name) => name !== '');
  if (new Set(written).size < written.length) return false;
  return names.some((name, column) => {
    const values = below.map((row) => row.cells[column] ?? '').filter((value) => value.trim() !== '');
    const withDigits = values.filter((value) => /\d/.test(value)).length;
    return name !== '' && !/\d/.test(name) && withDigits * 2 > values.length;
  });
}

/** An e-mail address, a day, a long number: no column is called so. */
export const VALUES = [/^[^\s@]+@[^\s@]+\.\w+$/, /^\d{4}-\d{2}-\d{2}/, /^\+?\d[\d ]{7,}$/];

/** An e-mail address, a day or a number. */
export const isValue = (text: string) =>
  VALUES.some((form) => form.test(text.trim())) || /^\s*[\d.,' /+-]*\d[\d.,' /+-]*$/.test(text);
