import type { DatabaseSync } from 'node:sqlite';
import { documentedPaths, requiredFields } from '@causeway/contracts';
import { viewOf } from '../../convert/kind-names.ts';
import { KINDS, keyColumns } from '../../convert/kinds.ts';
import { quotedName } from '../../extract/sql-names.ts';
import type { Relation } from '../../mapping/relations.ts';

/** Columns of one file that no view reads. */
export interface Unused {
  table: string;
  columns: readonly string[];
}

export function unusedColumns(
  tables: readonly { name: string; columns: readonly string[] }[],
  reads: readonly { table: string; column: string }[],
): Unused[] {
  const keyOf = (table: string, column: string) => `${table.toLowerCase()}\n${column.toLowerCase()}`;
  const read = new Set(reads.map(({ table, column }) => keyOf(table, column)));
  return tables
    .map(({ name, columns }) => ({ table: name, columns: columns.filter((column) => !read.has(keyOf(name, column))) }))
    .filter(({ columns }) => columns.length > 0);
}

/** Fields of one view that nothing fills. */
export interface Unfilled {
  view: string;
  /** Without them every row is refused. */
  required: readonly string[];
  others: readonly string[];
}

/**
 * What no column of a view fills, or only empty ones do. A view whose rows are whole objects is not looked at.
 *
 * @param isFilled whether a column of a view holds any value
 * @param hasSupplier the supplier is given in another way
 */
export function unfilledFields(
  relations: readonly Relation[],
  { isFilled, hasSupplier }: { isFilled: (relation: Relation, column: string) => boolean; hasSupplier: boolean },
): Unfilled[] {
  return relations.flatMap((relation) => {
    const kind = KINDS.find(({ name }) => viewOf(name) === relation.name);
    if (kind === undefined || relation.columns.includes('json')) return [];
    const filled = relation.columns.filter((column) => isFilled(relation, column));
    const isMissing = (path: string) => !filled.some((column) => `${column}.`.startsWith(`${path}.`));
    const optional = new Set(kind.into?.steps.filter((step) => step.isOptional).map(({ column }) => column));
    const keys = keyColumns(kind).filter((key) => !optional.has(key));
    const required = [...new Set([...keys, ...requiredFields(kind.schema)])].filter(isMissing);
    const others = topLevel(documentedPaths(kind.schema)).filter(
      (path) => isMissing(path) && !required.includes(path) && !ofOtherViews.has(path),
    );
    return [
      {
        view: relation.name,
        required: required.filter((path) => !(hasSupplier && path === 'import_supplier')),
        others,
      },
    ];
  });
}

/** Lists that have views of their own, and those that an account can carry in their place. */
const ofOtherViews = new Set([
  ...KINDS.flatMap(({ field, fieldOfSeveral, into }) => [field, fieldOfSeveral, into?.list]),
  ...['historical_transactions', 'ledgers', 'control'],
]);

/** Fields by their first names: what is below them is theirs. */
const topLevel = (paths: readonly string[]) => [...new Set(paths.map((path) => path.split('.')[0] ?? ''))];

/** A column of a view that some rows leave empty, or all. */
export interface PartlyEmpty {
  view: string;
  column: string;
  empty: number;
  rows: number;
}

/** The columns that some rows leave empty, or all: a code that a CASE does not know, or a join that finds nothing. */
export function partlyEmptyColumns(database: DatabaseSync, relations: readonly Relation[]): PartlyEmpty[] {
  return relations.flatMap(({ name: view, table, columns }) => {
    const counts = columns.map((column, index) => `count(nullif(${quotedName(column)}, '')) AS c${index}`);
    const query = database.prepare(`SELECT count(*), ${counts.join(', ')} FROM ${quotedName(table)}`);
    const [rows = 0, ...filled] = Object.values(query.get() ?? {}).map(Number);
    return columns.flatMap((column, index) => {
      const empty = rows - (filled[index] ?? 0);
      return empty > 0 ? [{ view, column, empty, rows }] : [];
    });
  });
}
