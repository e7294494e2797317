import type { DatabaseSync } from 'node:sqlite';
import { quotedName } from '../extract/sql-names.ts';
import type { TextTable } from '../extract/tables.ts';
import type { ColumnFacts, DraftPart, TableFacts } from './draft.ts';
import { surveyValues } from './survey-values.ts';

/** So many values of a column are judged, evenly from all of its rows. */
const MOST_VALUES = 5_000;

/** What is known of a table: its columns with their values. */
export function lookAt(database: DatabaseSync, { name, columns, rows }: TextTable): TableFacts {
  return { name, rows, columns: columns.map((column) => lookAtColumn(database, { name, rows }, column)) };
}

function lookAtColumn(
  database: DatabaseSync,
  { name, rows }: { name: string; rows: number },
  column: string,
): ColumnFacts {
  const from = `FROM ${quotedName(name)} WHERE trim(${quotedName(column)}) <> '' AND _fault IS NULL`;
  const step = Math.max(1, Math.ceil(rows / MOST_VALUES));
  const sample = database.prepare(`SELECT ${quotedName(column)} AS value ${from} AND rowid % ? = 0`);
  const values = sample.all(step).map(({ value }) => String(value));
  const counted = database
    .prepare(`SELECT count(*) AS filled, count(DISTINCT ${quotedName(column)}) AS different ${from}`)
    .get();
  const { filled, different } = { ...counted };
  return { name: column, values, survey: surveyValues(values), filled: Number(filled), distinct: Number(different) };
}

/** The different values of a column. */
export function valuesIn(database: DatabaseSync, table: string, column: string): string[] {
  const name = quotedName(column);
  const rows = database.prepare(
    `SELECT DISTINCT ${name} AS value FROM ${quotedName(table)} WHERE trim(${name}) <> '' AND _fault IS NULL`,
  );
  return rows.all().map(({ value }) => String(value));
}

/** How many different rows the columns of a kind make: fewer than the file has, where a row a line repeats its bill. */
export function differentRows(database: DatabaseSync, { table, columns }: DraftPart): number {
  const names = columns.flatMap(({ column, from }) =>
    column === undefined || from !== undefined ? [] : [quotedName(column)],
  );
  const rows = `SELECT DISTINCT ${names.join(', ')} FROM ${quotedName(table)} WHERE _fault IS NULL`;
  return names.length === 0 ? 0 : Number(database.prepare(`SELECT count(*) AS rows FROM (${rows})`).get()?.rows);
}
