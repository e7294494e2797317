import type { DatabaseSync } from 'node:sqlite';
import { quotedName } from '../extract/sql-names.ts';
import { AmountSum, type SumOfAmounts } from '../values/amount-sum.ts';
import { standsBelowATable } from './suspicions.ts';

/** What the amounts of a column add up to. */
export interface ColumnSum extends SumOfAmounts {
  column: string;
}

/** What a table of text adds up to. */
export interface TableSums {
  /** How many rows say again what another says word for word. */
  repeated: number;
  columns: ColumnSum[];
}

/** Adds up columns of a table, without damaged rows and those that begin with `Total`: these have the sums already. */
export function sumColumns(
  database: DatabaseSync,
  { name, columns }: { name: string; columns: readonly string[] },
  summed: readonly string[] = columns,
): TableSums {
  const sums = summed.map((column) => ({ index: columns.indexOf(column), column, sum: new AmountSum() }));
  const cells = columns.map((column, index) => `${quotedName(column)} AS c${index}`).join(', ');
  const places = columns.map((_column, index) => index + 1).join(', ');
  const rows = database.prepare(
    `SELECT ${cells}, count(*) AS times FROM ${quotedName(name)} WHERE _fault IS NULL GROUP BY ${places}`,
  );
  let repeated = 0;
  for (const { times, ...row } of rows.iterate()) {
    const texts = Object.values(row).map((cell) => String(cell ?? ''));
    if (standsBelowATable(texts.find((text) => text.trim() !== '') ?? '')) continue;
    repeated += Number(times) - 1;
    for (const { index, sum } of sums) sum.add(texts[index] ?? '', Number(times));
  }
  return { repeated, columns: sums.map(({ column, sum }) => ({ column, ...sum.total })) };
}
