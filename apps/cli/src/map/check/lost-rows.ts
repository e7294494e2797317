import type { DatabaseSync } from 'node:sqlite';
import { loosely } from '../../convert/near-misses.ts';
import { quotedName } from '../../extract/sql-names.ts';
import type { Relation } from '../../mapping/relations.ts';

/** Rows of one view whose number is none of the accounts. */
export interface LostRows {
  view: string;
  rows: number;
  /** How many different numbers they have. */
  numbers: number;
  /** What would make some of them one of the accounts, and how many numbers. */
  nearly: Readonly<Record<string, number>>;
}

const KEY = 'external_account_number';

/** The rows that no account takes, and what keeps them from nearly the same number. */
export function lostRows(database: DatabaseSync, relations: readonly Relation[]): LostRows[] {
  const accounts = relations.find(({ name }) => name === 'accounts');
  if (accounts === undefined || !accounts.columns.includes(KEY)) return [];
  const near = new Map<string, string>();
  for (const { number } of database
    .prepare(`SELECT ${quotedName(KEY)} AS number FROM ${quotedName(accounts.table)}`)
    .iterate())
    near.set(loosely(String(number ?? '')), String(number ?? ''));
  return relations.flatMap((relation) => {
    if (relation === accounts || !relation.columns.includes(KEY)) return [];
    const rows = database.prepare(`
      SELECT ${quotedName(KEY)} AS number, count(*) AS rows FROM ${quotedName(relation.table)}
      WHERE ${quotedName(KEY)} IS NULL
        OR ${quotedName(KEY)} NOT IN (SELECT ${quotedName(KEY)} FROM ${quotedName(accounts.table)} WHERE ${quotedName(KEY)} IS NOT NULL)
      GROUP BY 1
    `);
    const found = { view: relation.name, rows: 0, numbers: 0, nearly: {} as Record<string, number> };
    for (const { number, rows: some } of rows.iterate()) {
      const text = String(number ?? '');
      found.rows += Number(some);
      found.numbers += 1;
      const account = near.get(loosely(text));
      if (text === '' || account === undefined) continue;
      const what = differenceOf(text, account);
      found.nearly[what] = (found.nearly[what] ?? 0) + 1;
    }
    return found.rows === 0 ? [] : [found];
  });
}

/** What two numbers differ in that are loosely the same. */
export function differenceOf(one: string, other: string): string {
  const changes: readonly [string, (text: string) => string][] = [
    ['spaces around it', (text) => text.trim()],
    ['.0 behind it', (text) => text.replace(/\.0$/, '')],
    ['zeros in front', (text) => text.replace(/^0+(?=.)/, '')],
    ['capitals', (text) => text.toLowerCase()],
  ];
  const found = changes.find(([, change]) => change(one) === change(other));
  return found?.[0] ?? 'several of capitals, spaces, zeros and .0';
}
