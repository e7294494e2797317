import { type FoundHeader, headerNamed, headOfRows, isValue } from './find-header.ts';
import { isRuler } from './footers.ts';
import { flagWith } from './question.ts';
import type { TextRow, TextRows } from './text-row.ts';

/**
 * Finds the header of a file whose columns a flag has named: it is no row. It is what `--header-line` says, 0 for none,
 * or a first line that repeats the columns' names or has words where all other rows have digits; with the ruler below it.
 *
 * @param rows the first ones, behind the columns' names
 * @throws Failure where the flag gives no line
 */
export async function findFixedWidthHeader(
  rows: TextRows,
  { given, others: ofOthers, flag }: { given: string | undefined; others: string | undefined; flag: string },
): Promise<FoundHeader> {
  if (given === undefined && ofOthers !== undefined) {
    const found = await findFixedWidthHeader(rows, { given, others: undefined, flag });
    const told = `--header-line ${ofOthers} is of the other files (${flagWith(flag, ofOthers)} if of this one too)`;
    return { ...found, guesses: [told, ...found.guesses] };
  }
  if (given === '0') return { line: undefined, guesses: [] };
  if (given !== undefined && given !== 'first') return headerNamed(given);
  const [names, first, ...others] = (await headOfRows(rows)).filter((row) => row.isFooter !== true);
  if (names === undefined || first === undefined || first.fault !== undefined) return { line: undefined, guesses: [] };
  const below = others.filter(({ cells }) => !isRuler(cells.join('')));
  if (given === undefined && !repeats(first, names) && !isOfWords(first, below)) {
    return { line: undefined, guesses: [] };
  }
  const [next] = others;
  const line = next !== undefined && isRuler(next.cells.join('')) ? next.line : first.line;
  const guess = `line ${first.line} is a header, and left out (${flag}0 if it is a row)`;
  return { line, guesses: given === undefined ? [guess] : [] };
}

/** Of the columns' names a file may have only the beginning. */
function repeats({ cells }: TextRow, names: TextRow): boolean {
  const filled = cells.filter((cell) => undressed(cell) !== '').length;
  return (
    filled * 2 > cells.length &&
    cells.every((cell, column) => undressed(names.cells[column] ?? '').startsWith(undressed(cell)))
  );
}

const undressed = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** One row alone would prove nothing. */
const MIN_ROWS_BELOW = 2;

function isOfWords({ cells }: TextRow, below: readonly TextRow[]): boolean {
  if (below.length < MIN_ROWS_BELOW || cells.some(isValue)) return false;
  const ofDigits = cells.filter((_cell, column) => below.every((row) => /\d/.test(row.cells[column] ?? '')));
  return ofDigits.length > 0 && ofDigits.every((cell) => /^\D*\p{L}\D*$/u.test(cell));
}
