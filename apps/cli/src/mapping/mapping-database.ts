import type { DatabaseSync } from 'node:sqlite';
import { quotedName, quotedText } from '../extract/sql-names.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import type { MappingLimits } from './messages.ts';
import type { Relation } from './relations.ts';
import type { UnreadableValues } from './unreadable.ts';

const BYTES_PER_MB = 1_048_576;
const MAX_VALUE_BYTES = 64 * BYTES_PER_MB;

/** Nothing is kept of a run that ends early, so nothing is journaled. */
export function prepareDatabase(database: DatabaseSync, { diskMb }: MappingLimits): void {
  const read = (pragma: string) => Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
  const pages = Math.ceil((diskMb * BYTES_PER_MB) / read('page_size'));
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA cache_size = -65536;
    PRAGMA temp_store = FILE;
    PRAGMA main.max_page_count = ${read('page_count') + pages};
    PRAGMA temp.max_page_count = ${pages};
  `);
  // Node 24 does not have it: there, the process's memory is the limit.
  if ('limits' in database) database.limits.length = MAX_VALUE_BYTES;
}

/** What reads a temporary view or table of the mapping. */
export const selectAll = (name: string) => `SELECT * FROM temp.${quotedName(name)}`;

const textsOf = (database: DatabaseSync, query: string) =>
  database
    .prepare(query)
    .all()
    .map((row) => String(Object.values(row)[0]));

/** The tables of the sources, in lower case, with their columns. */
export function tablesOf(database: DatabaseSync): ReadonlyMap<string, readonly string[]> {
  const names = textsOf(
    database,
    // Those of files have no spaces in their names; others are our own.
    `SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '* *'`,
  );
  return new Map(
    names.map((name) => {
      const columns = textsOf(database, `SELECT name FROM pragma_table_xinfo(${quotedText(name)})`);
      return [name.toLowerCase(), columns];
    }),
  );
}

/**
 * The columns of files whose names a text of SQL has, and that hold lists or objects as JSON in some rows and no JSON in
 * others: SQLite does not say where such a row is.
 */
export function notJsonIn(
  database: DatabaseSync,
  tables: ReadonlyMap<string, readonly string[]>,
  sql: string,
): readonly string[] {
  const text = sql.toLowerCase();
  const all = [...tables].flatMap(([table, columns]) => columns.map((column) => ({ table, column })));
  return all
    .filter((one) => !one.column.startsWith('_') && text.includes(one.table) && text.includes(one.column.toLowerCase()))
    .flatMap(({ table, column }) => {
      const [rows, cell] = [`main.${quotedName(table)}`, quotedName(column)];
      const isNested = `json_valid(${cell}) AND substr(ltrim(${cell}), 1, 1) IN ('{', '[')`;
      // Beside its one min(), SQLite gives the other columns of the row that has it.
      const { n, empty, file, line } =
        database
          .prepare(`
            SELECT min(_line) AS line, _file AS file, count(*) AS n, sum(trim(${cell}) = '') AS empty FROM ${rows}
            WHERE NOT json_valid(${cell}) AND EXISTS (SELECT 1 FROM ${rows} WHERE ${isNested})
          `)
          .get() ?? {};
      if (Number(n) === 0) return [];
      const write = n === empty ? `nullif(${cell}, '')` : `CASE WHEN json_valid(${cell}) THEN ${cell} END`;
      const which = n === empty ? 'all empty' : `${grouped(Number(empty))} of them empty`;
      return `${table}.${cell}: ${counted(Number(n), 'row')} without JSON, ${which}; the first is ${file} line ${line}. Write ${write} in its place.`;
    });
}

/** In lower case. */
export const temporaryNames = (database: DatabaseSync) =>
  textsOf(database, `SELECT lower(name) FROM temp.sqlite_schema WHERE type IN ('table', 'view')`);

/** The columns that hold REALs. */
export function realsOf(database: DatabaseSync, table: string, columns: readonly string[]): Relation['reals'] {
  const counts = columns.map((column) => `count(CASE WHEN typeof(${quotedName(column)}) = 'real' THEN 1 END)`);
  const row = Object.values(
    database.prepare(`SELECT ${counts.join(', ')} FROM ${quotedName(table)}`, { returnArrays: true }).get() ?? {},
  );
  return columns.map((column, index) => ({ column, values: Number(row[index]) })).filter(({ values }) => values > 0);
}

/** Writes the values that functions could not read to `_unreadable`. @returns how many there are */
export function keepUnreadable(database: DatabaseSync, values: UnreadableValues): number {
  database.exec('BEGIN');
  database.exec('CREATE TABLE _unreadable (id INTEGER PRIMARY KEY, function TEXT, detail TEXT, argument TEXT)');
  const insert = database.prepare('INSERT INTO _unreadable VALUES (:id, :function, :detail, :argument)');
  let count = 0;
  for (const value of values.all()) {
    insert.run(value);
    count += 1;
  }
  database.exec('COMMIT');
  return count;
}
