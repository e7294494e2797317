import type { DatabaseSync } from 'node:sqlite';
import { quotedName, quotedText } from '../extract/sql-names.ts';
import { Failure } from '../frame/failure.ts';
import type { Relation } from '../mapping/relations.ts';
import { ACCOUNT_NUMBER } from './kinds.ts';
import { trimmed } from './relations.ts';

/** The flags that say whose accounts are read. */
export interface SupplierFlags {
  supplier?: string | undefined;
  onlySupplier?: string | undefined;
}

/** A field of the rows of a view, as SQL. */
function fieldOf({ columns }: Relation, name: string): string {
  if (columns.includes(name)) return trimmed(quotedName(name));
  return columns.includes('json') ? `CASE WHEN json_valid(json) THEN json ->> '$.${name}' END` : 'NULL';
}

/** How many accounts the view of a mapping has of each import supplier, in the order of their rows. */
export function suppliersIn(database: DatabaseSync, views: readonly Relation[]): Map<string, number> {
  return countsOf(database, { views, view: 'accounts', field: 'import_supplier' });
}

/** How many rows of a view have each text in a field, in their order. Empty ones are left out. */
export function countsOf(
  database: DatabaseSync,
  { views, view, field }: { views: readonly Relation[]; view: string; field: string },
): Map<string, number> {
  const relation = views.find(({ name }) => name === view);
  if (relation === undefined) return new Map();
  const rows = database
    .prepare(`
      SELECT ${fieldOf(relation, field)} AS text, count(*) AS n FROM ${quotedName(relation.table)}
      GROUP BY 1 HAVING text <> '' ORDER BY min(rowid)
    `)
    .all();
  return new Map(rows.map(({ text, n }) => [String(text), Number(n)]));
}

/**
 * Leaves out the accounts of other import suppliers than `onlySupplier`, with all rows of them and their claims in the
 * manifest. A book, like its manifest, is for one.
 *
 * @returns how many accounts were left out
 * @throws Failure where the import supplier has none
 */
export function keepSupplier(
  database: DatabaseSync,
  views: readonly Relation[],
  { supplier = '', onlySupplier }: SupplierFlags,
): number {
  const accounts = views.find(({ name }) => name === 'accounts');
  if (onlySupplier === undefined || accounts === undefined) return 0;
  const own = `coalesce(nullif(${fieldOf(accounts, 'import_supplier')}, ''), ${quotedText(supplier)})`;
  const from = `FROM ${quotedName(accounts.table)} WHERE ${own}`;
  if (database.prepare(`SELECT 1 ${from} = ? LIMIT 1`).get(onlySupplier) === undefined) {
    const known = [...suppliersIn(database, views).keys()].join(', ');
    const sentence = `No account is of the import supplier ${onlySupplier}.`;
    throw new Failure('usage', sentence, { lines: known === '' ? [] : [`  There are accounts of ${known}.`] });
  }
  database.exec('CREATE TEMP TABLE others (account TEXT)');
  const { changes } = database
    .prepare(`INSERT INTO others SELECT ${fieldOf(accounts, ACCOUNT_NUMBER)} ${from} <> ?`)
    .run(onlySupplier);
  for (const view of views) {
    database.exec(
      `DELETE FROM ${quotedName(view.table)} WHERE ${fieldOf(view, ACCOUNT_NUMBER)} IN (SELECT account FROM others)`,
    );
  }
  database.exec('DROP TABLE others');
  return Number(changes);
}
