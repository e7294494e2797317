import type { DatabaseSync } from 'node:sqlite';
import { viewOf } from '../../convert/kind-names.ts';
import { ACCOUNT_NUMBER, KINDS } from '../../convert/kinds.ts';
import { loosely } from '../../convert/near-misses.ts';
import { quotedName } from '../../extract/sql-names.ts';
import type { Relation } from '../../mapping/relations.ts';

/** A column of a view, by which its rows name something, and the columns beside it within which the name counts. */
interface Named {
  view: string;
  column: string;
  within?: readonly string[];
}

/** Rows of one view that name what no row of another has: an account or, nearly as it is called there, anything else. */
export interface LostRows {
  view: string;
  column: string;
  rows: number;
  /** How many of them name nothing. */
  unnamed: number;
  /** How many different names the others have. */
  numbers: number;
  /** One of their files, where the view says it. */
  file: string | undefined;
  /** What has such names, and how many of its rows have nearly these. */
  of: { view: string; column: string; rows: number; file: string | undefined };
  /** What keeps how many names apart from those. */
  nearly: Readonly<Record<string, number>>;
}

const METER = ['meter_point_identifier', 'meter_serial_number'];

/** What the rows of views name, and where it is. */
const REFERENCES: readonly { from: Named; to: Named; orView?: string | undefined }[] = [
  ...KINDS.filter(({ field }) => field !== '').map(({ name }) => ({
    from: { view: viewOf(name), column: ACCOUNT_NUMBER },
    to: { view: 'accounts', column: ACCOUNT_NUMBER },
  })),
  ...KINDS.flatMap(({ name, into }) =>
    (into?.steps ?? []).map(({ column, field }, index, steps) => {
      const lists = steps.slice(0, index + 1).flatMap(({ list }) => (list === '' ? [] : [list]));
      const to = { view: viewOf(into?.kind ?? name), column: [...lists, field].join('.') };
      return { from: { view: viewOf(name), column }, to, orView: into?.orField };
    }),
  ),
  ...['readings', 'reading_history'].map((view) => ({
    from: { view, column: 'register_id', within: METER },
    to: { view: 'registers', column: 'register_id', within: METER },
  })),
  { from: { view: 'statements', column: 'replaces' }, to: { view: 'statements', column: 'statement_id' } },
];

/** The rows that no account takes, and those whose names nearly match. */
export function lostRows(database: DatabaseSync, relations: readonly Relation[]): LostRows[] {
  return REFERENCES.flatMap(({ from, to, orView }) => {
    const [own] = namesIn(from, relations);
    const others = [to, { ...to, view: orView ?? '' }].flatMap((one) => namesIn(one, relations));
    if (own === undefined || others.length === 0) return [];
    const unmatched = unmatchedNames(database, own, others);
    const rowsNear = findNear(database, unmatched, others);
    const lost = from.column === ACCOUNT_NUMBER ? unmatched : unmatched.filter(({ near }) => near !== undefined);
    if (lost.length === 0) return [];
    const nearly: Record<string, number> = {};
    for (const { name, near } of lost) {
      if (near === undefined) continue;
      const difference = differenceOf(name, near.name);
      const lacking = name.length < near.name.length ? from.view : to.view;
      const what = difference === ZEROS ? `${ZEROS} that ${lacking} lacks` : difference;
      nearly[what] = (nearly[what] ?? 0) + 1;
    }
    const sum = (names: readonly LostName[]) => names.reduce((all, { rows }) => all + rows, 0);
    const [unnamed, named] = [lost.filter(({ name }) => name === ''), lost.filter(({ name }) => name !== '')];
    return {
      ...{
        view: from.view,
        column: from.column,
        rows: sum(lost),
        unnamed: sum(unnamed),
        numbers: named.length,
        nearly,
      },
      file: lost.find(({ file }) => file !== undefined)?.file,
      of: { view: to.view, column: to.column, rows: rowsNear, file: named.find(({ near }) => near?.file)?.near?.file },
    };
  });
}

/** A column of a view as SQL. */
interface NamesIn {
  table: string;
  name: string;
  /** The name with those within which it counts, as JSON. */
  key: string;
  file: string;
}

/** More than one where the columns have places. */
function namesIn({ view, column, within = [] }: Named, relations: readonly Relation[]): NamesIn[] {
  const relation = relations.find(({ name }) => name === view);
  if (relation === undefined) return [];
  const { columns, table } = relation;
  const text = (one: string) => (columns.includes(one) ? `CAST(${quotedName(one)} AS TEXT)` : 'NULL');
  return columns
    .filter((one) => one.replaceAll(/\.\d+(?=\.)/g, '') === column)
    .map((one) => ({
      ...{ table: quotedName(table), name: text(one), file: text('_file') },
      key: `json_array(${[one, ...within].map(text).join(', ')})`,
    }));
}

/** A name that nothing has; empty: rows that name nothing. */
interface LostName {
  name: string;
  loose: string;
  rows: number;
  file: string | undefined;
  near?: { name: string; file: string | undefined };
}

function unmatchedNames(database: DatabaseSync, { table, name, key, file }: NamesIn, others: readonly NamesIn[]) {
  const all = others.map((other) => `SELECT ${other.key} FROM ${other.table} WHERE ${other.name} <> ''`);
  const rows = database.prepare(`
    SELECT ${key} AS key, min(${file}) AS file, count(*) AS rows FROM ${table}
    WHERE coalesce(${name}, '') = '' OR ${key} NOT IN (${all.join(' UNION ALL ')}) GROUP BY 1
  `);
  return Array.from(rows.iterate(), (row): LostName => ({ ...readName(row), rows: Number(row.rows) }));
}

/** Finds what is nearly called so. @returns how many rows are */
function findNear(database: DatabaseSync, names: readonly LostName[], others: readonly NamesIn[]): number {
  const unmatched = Map.groupBy(
    names.filter(({ name }) => name !== ''),
    ({ loose }) => loose,
  );
  let found = 0;
  for (const { table, name, key, file } of unmatched.size === 0 ? [] : others) {
    const rows = database.prepare(`SELECT ${key} AS key, ${file} AS file FROM ${table} WHERE ${name} <> ''`);
    for (const row of rows.iterate()) {
      const { loose, ...near } = readName(row);
      const same = (unmatched.get(loose) ?? []).filter((one) => one.name !== near.name);
      for (const one of same) one.near ??= near;
      if (same.length > 0) found += 1;
    }
  }
  return found;
}

function readName({ key, file }: Readonly<Record<string, unknown>>): Pick<LostName, 'name' | 'loose' | 'file'> {
  const texts = (JSON.parse(String(key)) as (string | null)[]).map((text) => text ?? '');
  return {
    name: texts[0] ?? '',
    loose: JSON.stringify(texts.map(loosely)),
    file: file === null ? undefined : String(file),
  };
}

/** The difference that exports make most often. */
export const ZEROS = 'zeros in front';

/** What two names differ in that are loosely the same. */
export function differenceOf(one: string, other: string): string {
  const changes: readonly [string, (text: string) => string][] = [
    ['spaces around it', (text) => text.trim()],
    ['.0 behind it', (text) => text.replace(/\.0$/, '')],
    [ZEROS, (text) => text.replace(/^0+(?=.)/, '')],
    ['capitals', (text) => text.toLowerCase()],
  ];
  const found = changes.find(([, change]) => change(one) === change(other));
  return found?.[0] ?? 'several of capitals, spaces, zeros and .0';
}
