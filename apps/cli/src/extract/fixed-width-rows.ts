import { Failure } from '../frame/failure.ts';
import { textLines } from './text-lines.ts';
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
 * behind a cell are no part of it. A line with text that is in no column comes with a fault.
 */
export async function* fixedWidthRows(text: AsyncIterable<string>, columns: readonly WidthOfColumn[]): TextRows {
  yield [{ line: 0, cells: columns.map(({ name }) => name) }];
  const end = Math.max(...columns.map(({ to }) => to));
  for await (const lines of textLines(text)) {
    yield lines.flatMap(({ number, text, isTooLong }): TextRow[] => {
      if (isTooLong) return [{ line: number, cells: [], fault: TOO_LONG }];
      if (text.trim() === '') return [];
      const characters = charactersOf(text);
      const cells = columns.map(({ from, to }) => characters.slice(from - 1, to).trimEnd());
      const isLonger = characters.slice(end).trim() !== '';
      return [
        { line: number, cells, ...(isLonger && { fault: `Has text behind character ${end}: name its column too.` }) },
      ];
    });
  }
}

/** Some characters, such as emoji, are two units of a string. */
function charactersOf(text: string): { slice(start: number, end?: number): string } {
  if (!/[\uD800-\uDFFF]/.test(text)) return text;
  const characters = [...text];
  return { slice: (start, end) => characters.slice(start, end).join('') };
}
