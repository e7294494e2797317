import type { DatabaseSync } from 'node:sqlite';
import { OWN_COLUMNS } from '../../extract/column-names.ts';
import { quotedName } from '../../extract/sql-names.ts';
import type { Relation } from '../../mapping/relations.ts';
import { MARK } from '../../mapping/unreadable.ts';

/** What one function could not read, for one reason, in one column of a view. */
export interface UnreadableKind {
  /** Undefined: in no row of a view, which has left it out. */
  place: PlaceInView | undefined;
  function: string;
  detail: string;
  /** How many different values. */
  values: number;
  /** The form of the first one, or the value itself. */
  shown: string;
}

interface PlaceInView {
  view: string;
  column: string;
  rows: number;
  /** Of the first row, where the view has them. */
  file: string | undefined;
  line: number | undefined;
}

const MOST = 20;

/** What the functions of a mapping could not read, by the column that it came to, those of most rows first. */
export function unreadableKinds(
  database: DatabaseSync,
  relations: readonly Relation[],
  shown: (text: string) => string,
): UnreadableKind[] {
  if (database.prepare('SELECT 1 FROM _unreadable LIMIT 1').get() === undefined) return [];
  database.exec('CREATE TEMP TABLE seen (id INTEGER PRIMARY KEY)');
  const own: readonly string[] = OWN_COLUMNS;
  const found = relations.flatMap((relation) =>
    relation.columns.filter((column) => !own.includes(column)).flatMap((column) => kindsIn(database, relation, column)),
  );
  found.sort((one, other) => (other.place?.rows ?? 0) - (one.place?.rows ?? 0));
  return [...found, ...kindsLeftOut(database)].slice(0, MOST).map((kind) => ({ ...kind, shown: shown(kind.shown) }));
}

function kindsIn(database: DatabaseSync, { name: view, table, columns }: Relation, column: string): UnreadableKind[] {
  const cell = `r.${quotedName(column)}`;
  const from = `
    FROM ${quotedName(table)} AS r JOIN _unreadable AS u
      ON u.id = CAST(substr(${cell}, instr(${cell}, '${MARK}') + 1) AS INTEGER)
    WHERE instr(${cell}, '${MARK}') > 0
  `;
  database.exec(`INSERT OR IGNORE INTO seen SELECT u.id ${from}`);
  const own = (name: string) => (columns.includes(name) ? `r.${name}` : 'NULL');
  // Beside its one min(), SQLite gives the other columns of the row that has it.
  const kinds = database.prepare(`
    SELECT min(r.rowid), ${own('_file')} AS file, ${own('_line')} AS line, u.argument, u.function, u.detail,
      count(*) AS rows, count(DISTINCT u.id) AS "values"
    ${from} GROUP BY u.function, u.detail
  `);
  return kinds.all().map(({ file, line, rows, ...kind }) => ({
    ...kindOf(kind),
    place: {
      ...{ view, column, rows: Number(rows) },
      file: file === null ? undefined : String(file),
      line: line === null ? undefined : Number(line),
    },
  }));
}

function kindsLeftOut(database: DatabaseSync): UnreadableKind[] {
  const kinds = database.prepare(`
    SELECT function, detail, count(*) AS "values", min(argument) AS argument FROM _unreadable
    WHERE id NOT IN (SELECT id FROM seen) GROUP BY function, detail ORDER BY count(*) DESC
  `);
  return kinds.all().map((kind) => ({ ...kindOf(kind), place: undefined }));
}

const kindOf = (row: Readonly<Record<string, unknown>>) => ({
  function: String(row.function),
  detail: String(row.detail),
  values: Number(row.values),
  shown: String(row.argument ?? ''),
});
