import type { Key } from './fields.ts';
import { isNearlyAll, type KeyValues, keyValues, matchKeys } from './match-keys.ts';
import type { Meaning } from './name-column.ts';
import { areClearly, type ColumnFacts, LEAST_DIFFERENT, type TableFacts, telling } from './survey-values.ts';

/** A column whose values name something, and why it is thought so. */
export interface FoundKey {
  column: ColumnFacts;
  says: string;
  /** By the values of all files, this one has a row an account. */
  isHome?: boolean;
}
export type Keys = Map<Key, FoundKey>;

/** A file, and what the names of its columns may mean. */
export interface NamedTable {
  table: TableFacts;
  meanings: ReadonlyMap<string, Meaning>;
}

/** All different values of a column; not of more rows than were read. */
export type ValuesOf = (table: string, column: string) => readonly string[];

const SHORTEST_KEY = 4;
const LONGEST_KEY = 40;
const ENOUGH_FOUND = 20;
const SAMPLE = 200;

/**
 * The keys of each file: by the names of its columns, and by values where no name says so. A meter point has its check
 * digit; the number of an account is unique in one file and found again in most others.
 */
export function findKeys(tables: readonly NamedTable[], valuesOf: ValuesOf): Map<TableFacts, Keys> {
  const keys = new Map(tables.map((named) => [named.table, keysByName(named)]));
  for (const { table, meanings } of tables) {
    const own = keys.get(table);
    if (own === undefined || own.has('meterPoint')) continue;
    const found = table.columns.filter(
      (column) => isUnnamed(column, meanings) && areClearly(column.survey.meterPoints, column),
    );
    const [only] = found;
    if (only !== undefined && found.length === 1) own.set('meterPoint', { column: only, says: 'by its check digits' });
  }
  nameByCustomers(tables, keys, valuesOf);
  findAccounts(tables, keys, valuesOf);
  return keys;
}

/**
 * Customers are accounts where no file has a number for these; and where the numbers of accounts are those of customers,
 * unless a file has both.
 */
function nameByCustomers(tables: readonly NamedTable[], keys: Map<TableFacts, Keys>, valuesOf: ValuesOf): void {
  const columnsOf = (key: Key) =>
    tables.flatMap(({ table }) => {
      const column = keys.get(table)?.get(key)?.column;
      return column === undefined ? [] : [{ table, column, values: valuesOf(table.name, column.name) }];
    });
  const accounts = columnsOf('account');
  const customers = columnsOf('customer');
  const isNone = accounts.length === 0;
  if (accounts.some(({ table }) => keys.get(table)?.has('customer'))) return;
  for (const one of customers.sort((other, next) => Number(isUnique(next)) - Number(isUnique(other)))) {
    const own = keyValues(one.column, one.values);
    if (!isNone && !accounts.some((account) => isNearlyAll(matchKeys(account, own)))) continue;
    keys.get(one.table)?.set('account', { column: one.column, says: 'by its name' });
    accounts.push(one);
  }
}

/** Two columns of one name are none; and numbers of meters are no meter points. */
function keysByName({ table, meanings }: NamedTable): Keys {
  const named = table.columns.flatMap((column) => {
    const key = meanings.get(column.name)?.key;
    const isOther = key === 'meter' && areClearly(column.survey.meterPoints, column);
    return key === undefined || isOther || column.survey.values === 0 ? [] : [{ key, column }];
  });
  const single = named.filter(({ key }) => named.filter((other) => other.key === key).length === 1);
  return new Map(single.map(({ key, column }) => [key, { column, says: 'by its name' }]));
}

const isUnnamed = ({ name }: ColumnFacts, meanings: NamedTable['meanings']) =>
  meanings.get(name)?.fields.length === 0 && meanings.get(name)?.key === undefined;

/** A file, and the column of it that names the accounts of the others. */
interface Anchor {
  table: TableFacts;
  key: Key;
  column: ColumnFacts;
  values: KeyValues;
}

function findAccounts(tables: readonly NamedTable[], keys: Map<TableFacts, Keys>, valuesOf: ValuesOf): void {
  const anchorAt = (table: TableFacts, column: ColumnFacts, key: Key): Anchor => {
    return { table, column, key, values: keyValues(column, valuesOf(table.name, column.name)) };
  };
  const others = ({ table, key }: Anchor) =>
    tables.filter((one) => one.table !== table && !keys.get(one.table)?.has(key));
  const anchor = namedAnchor(tables, keys, anchorAt);
  if (anchor !== undefined) {
    setKeys(keys, foundIn(others(anchor), anchor, valuesOf), anchor);
    return;
  }
  const anchors = tables.flatMap(({ table, meanings }) =>
    table.columns
      .filter((column) => isUnique({ column, table }) && canBeKey(column) && isUnnamed(column, meanings))
      .map((column) => anchorAt(table, column, 'account')),
  );
  const found = anchors
    .map((one) => ({ anchor: one, in: foundIn(others(one), one, valuesOf) }))
    .filter(({ in: some }) => some.length > 0 && some.length * 2 >= tables.length - 1)
    .sort((one, other) => other.in.length - one.in.length || people(other.anchor) - people(one.anchor));
  const [best, next] = found;
  const isClear =
    next === undefined || best?.in.length !== next.in.length || people(best.anchor) !== people(next.anchor);
  if (best === undefined || !isClear) return;
  const says = `by its values, which are different and found in ${best.in.map(({ table }) => table.name).join(', ')}`;
  keys.get(best.anchor.table)?.set('account', { column: best.anchor.column, says, isHome: true });
  setKeys(keys, best.in, best.anchor);
}

/** A column of a file whose values are keys of another one. */
interface Found {
  table: TableFacts;
  column: ColumnFacts;
}

function setKeys(keys: Map<TableFacts, Keys>, found: readonly Found[], { key }: Anchor): void {
  for (const { table, column } of found) keys.get(table)?.set(key, { column, says: 'by its values' });
}

/** The file that names accounts by its header, or customers where none does: the one in which each is once, or else with the most of them. */
function namedAnchor(
  tables: readonly NamedTable[],
  keys: ReadonlyMap<TableFacts, Keys>,
  anchorAt: (table: TableFacts, column: ColumnFacts, key: Key) => Anchor,
): Anchor | undefined {
  for (const key of ['account', 'customer'] as const) {
    const named = tables.flatMap(({ table }) => {
      const column = keys.get(table)?.get(key)?.column;
      return column === undefined ? [] : [{ table, column }];
    });
    const [most] = named.sort(
      (one, other) => Number(isUnique(other)) - Number(isUnique(one)) || other.column.distinct - one.column.distinct,
    );
    if (most !== undefined) return anchorAt(most.table, most.column, key);
  }
  return undefined;
}

/** The only column of each file in which nearly all values are keys of the anchor. */
function foundIn(tables: readonly NamedTable[], anchor: Anchor, valuesOf: ValuesOf): Found[] {
  return tables.flatMap(({ table, meanings }) => {
    const matching = table.columns.filter((column) => {
      if (!canBeKey(column) || !isUnnamed(column, meanings)) return false;
      const isFound = (values: readonly string[]) => isNearlyAll(matchKeys({ column, values }, anchor.values));
      if (!isFound(column.values.slice(0, SAMPLE))) return false;
      const match = matchKeys({ column, values: valuesOf(table.name, column.name) }, anchor.values);
      const isEnough = match.found >= ENOUGH_FOUND || match.found * LEAST_DIFFERENT >= anchor.column.distinct;
      return isNearlyAll(match) && isEnough;
    });
    const [column] = matching;
    return column !== undefined && matching.length === 1 ? [{ table, column }] : [];
  });
}

const isUnique = ({ column, table }: Found) => column.filled === table.rows && column.distinct === column.filled;

/** Short texts, which are nothing else by their form. */
function canBeKey({ survey, distinct }: ColumnFacts): boolean {
  const fractions = survey.amounts.filter(({ sign }) => sign !== 'none').length - survey.pointZeros;
  const others = [
    survey.dates.length,
    survey.emails,
    survey.ibans,
    survey.meterPoints,
    survey.clearPostcodes,
    fractions,
  ];
  return (
    distinct >= LEAST_DIFFERENT &&
    survey.longest >= SHORTEST_KEY &&
    survey.longest <= LONGEST_KEY &&
    others.every((count) => count * 2 < telling(survey))
  );
}

/** How many columns of a file are of people. */
const people = ({ table }: Anchor) =>
  table.columns.filter(({ survey }) => [survey.emails, survey.mobiles].some((count) => count * 2 > telling(survey)))
    .length;
