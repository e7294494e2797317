import { Failure } from '../frame/failure.ts';
import { counted } from '../terminal/numbers.ts';
import type { TextRow, TextRows } from './text-row.ts';

/** Rows that begin with the same cell, and have a number of cells of their own. */
export interface RecordKind {
  /** Their first cell. */
  name: string;
  /** How many cells most of them have. */
  width: number;
  /** Rows that cannot be read, and do not begin with the cell of another kind, are told with this one. */
  others?: readonly string[];
}

/** More different first cells are keys. */
const MOST_KINDS = 40;
const LEAST_ROWS = 4;

/**
 * Whether the number of cells goes with the first cell: two kinds of several rows have different ones, or the first row has
 * another one than those below it and begins with a cell of the same length, as the head of such files does.
 *
 * @param all the first rows, without a header
 */
export function seemsOfKinds(all: readonly TextRow[]): boolean {
  const rows = all.filter(isWhole);
  const kinds = kindsIn(rows);
  const [first] = rows;
  if (first === undefined || rows.length < LEAST_ROWS || kinds.size < 2 || kinds.size * 2 > rows.length) return false;
  const found = Array.from(kinds.values(), (widths) => ({ width: commonest(widths), widths }));
  const isSteady = found.every(({ width, widths }) => (widths.get(width) ?? 0) * 10 >= sum(widths) * 9);
  if (!isSteady || new Set(found.map(({ width }) => width)).size === 1) return false;
  const several = found.filter(({ widths }) => sum(widths) > 1).map(({ width }) => width);
  const isHead = [...kinds.keys()].every((name) => name.length === nameOf(first).length);
  return new Set(several).size > 1 || (isHead && !several.includes(first.cells.length));
}

/**
 * The kinds of all rows of a file, in the order in which they begin.
 *
 * @throws Failure where there are none, or so many that the first cells are keys
 */
export async function recordKindsIn(rows: TextRows, file: string): Promise<RecordKind[]> {
  const kinds = new Map<string, Map<number, number>>();
  for await (const some of rows) {
    kindsIn(some.filter(isWhole), kinds);
    if (kinds.size <= MOST_KINDS) continue;
    throw new Failure('usage', `${file} has more than ${counted(MOST_KINDS, 'kind')} of record by its first cells.`, {
      lines: ['  They seem to be no kinds: read it without --record-kinds.'],
    });
  }
  const found = Array.from(kinds, ([name, widths]): RecordKind => ({ name, width: commonest(widths) }));
  const names = found.map(({ name }) => name);
  return found.map((kind, index) => (index === 0 ? { ...kind, others: names.slice(1) } : kind));
}

/** The rows of one kind, below a header that numbers their columns: `column_1` is the kind. */
export async function* rowsOfKind(rows: TextRows, { name, width, others }: RecordKind): TextRows {
  yield [{ line: 0, cells: Array.from({ length: width }, (_, index) => `column_${index + 1}`) }];
  for await (const some of rows) {
    yield some.filter((row) => nameOf(row) === name || (others !== undefined && !isOneOf(row, others)));
  }
}

/** A blank row is of no kind. */
const isOneOf = (row: TextRow, names: readonly string[]) => !isBlank(row) && names.includes(nameOf(row));

const isBlank = ({ cells }: TextRow) => cells.every((cell) => cell.trim() === '');
const isWhole = (row: TextRow) => row.fault === undefined && !isBlank(row);
const nameOf = ({ cells: [first = ''] }: TextRow) => first.trim();

/** How many rows of each kind have how many cells. */
function kindsIn(rows: readonly TextRow[], kinds = new Map<string, Map<number, number>>()) {
  for (const row of rows) {
    const widths = kinds.get(nameOf(row)) ?? new Map<number, number>();
    kinds.set(nameOf(row), widths.set(row.cells.length, (widths.get(row.cells.length) ?? 0) + 1));
  }
  return kinds;
}

const sum = (widths: ReadonlyMap<number, number>) => [...widths.values()].reduce((all, rows) => all + rows, 0);

function commonest(widths: ReadonlyMap<number, number>): number {
  const [most] = [...widths].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? 0;
}
