import type { DatabaseSync } from 'node:sqlite';
import type { TextTable } from '../extract/tables.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import { compareDecimals, type Decimal, readAmount, writeMoney } from '../values/decimal.ts';
import { type ColumnSum, sumColumns, type TableSums } from './column-sums.ts';

/** A number in a line below a table. */
interface Figure {
  line: number;
  text: string;
  /** Of the cell in which it stands. */
  column: string | undefined;
}

const MAX_COLUMNS_NAMED = 3;

/**
 * Each number of the lines that were left out below a table, beside what it may control: the sum of its column or of any
 * other, with and without repeated rows, or for a whole number how many rows there are.
 */
export function controlTotals(database: DatabaseSync, table: TextTable): string[] {
  const figures = table.footers.flatMap(({ line, cells }) =>
    cells.flatMap(({ column, text }) =>
      figuresIn(text, table.rows).map((figure): Figure => ({ line, column, text: figure })),
    ),
  );
  // A table of millions of rows takes a while to add up, and often its last line only counts them.
  let sums: TableSums | undefined;
  return figures.map((figure) => {
    const isCount = Number(figure.text) === table.rows;
    if (!isCount) sums ??= sumColumns(database, table);
    const beside = sums === undefined ? countSaid(table.rows) : comparison(figure, { table, sums });
    return `Line ${figure.line} says ${figure.text}, and ${beside}`;
  });
}

/** No part of a day or a time; a space stands between groups of three digits alone. */
const FIGURE =
  /(?<![\d/:]|\d-)[-+(]?\d(?:(?:[\d.,'’]|[\u00A0 ](?=\d{3}(?!\d)))*\d)?(?:[-)]| ?(?:CR|DR)\b)?(?![\d/:]|-\d)/giu;

/** Nines alone stand in place of a key. */
const figuresIn = (text: string, rows: number) =>
  (text.match(FIGURE) ?? []).filter((figure) => !/^9{1,3}$/.test(figure)).flatMap((figure) => unjoined(figure, rows));

/** Numbers that zeros fill may stand without a space between: `00006490000004992947-`. */
function unjoined(figure: string, rows: number): string[] {
  const [, bare = ''] = /^9{0,3}(000\d+[-+]?)$/.exec(figure) ?? [];
  const [, count, rest] = new RegExp(`^(0*${rows})(0.*)$`).exec(bare) ?? [];
  if (count !== undefined && rest !== undefined) return [count, rest];
  return bare === '' ? [figure] : bare.split(/(?<=[1-9])(?=0{3,}[1-9])/);
}

function comparison({ text, column }: Figure, { table, sums }: { table: TextTable; sums: TableSums }): string {
  const readings = readingsOf(text);
  const isEqual = (sum: Decimal) => readings.some((reading) => compareDecimals(reading, absolute(sum)) === 0);
  const columns = sums.columns.filter(({ amounts, unreadable }) => amounts > 0 && amounts >= unreadable * 9);
  const own = columns.find((one) => one.column === column);
  const equal = [own, ...columns].find((one) => one !== undefined && (isEqual(one.sum) || isEqual(one.once)));
  const rows = table.rows - sums.repeated;
  const isCount = [table.rows, rows].some((count) => isEqual({ units: BigInt(count), places: 0 }));
  const isWhole = readings.some(({ units, places }) => units % 10n ** BigInt(places) === 0n);
  const isLikely = isCount || (own === undefined && isWhole && equal === undefined);
  if (isLikely && (own === undefined || equal !== own)) return countSaid(table.rows, rows, isCount);
  if (equal !== undefined) return said([equal], true);
  const likely =
    own === undefined ? columns.filter(({ withTwoDecimals, amounts }) => withTwoDecimals * 10 >= amounts * 9) : [own];
  return likely.length === 0 ? 'no column adds up to it' : said(likely.slice(0, MAX_COLUMNS_NAMED), false);
}

function countSaid(rows: number, once = rows, isCount = true): string {
  const each = once === rows ? '' : ` (${grouped(once)} without those repeated word for word)`;
  return `there are ${counted(rows, 'row')}${each}: ${verdict(isCount)}`;
}

const said = (sums: readonly ColumnSum[], isEqual: boolean) => `${sums.map(sumSaid).join(', ')}: ${verdict(isEqual)}`;
const verdict = (isEqual: boolean) => (isEqual ? 'equal' : 'not equal');

function sumSaid({ column, sum, once, repeated }: ColumnSum): string {
  const all = `${column} adds up to ${grouped(writeMoney(sum))}`;
  if (repeated === 0) return all;
  return `${all} (${grouped(writeMoney(once))} without ${counted(repeated, 'row')} repeated word for word)`;
}

/** One, or two where it may have decimals or thousands; signs are left out, since each system has its own. */
const readingsOf = (text: string): Decimal[] =>
  (['point', 'comma'] as const)
    .map((decimalSign) => readAmount(text, { decimalSign, credit: 'positive' }).value)
    .filter((value) => value !== undefined)
    .map(absolute);

const absolute = ({ units, places }: Decimal): Decimal => ({ units: units < 0n ? -units : units, places });
