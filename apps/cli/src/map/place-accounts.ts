import { ACCOUNT_NUMBER } from '../convert/kinds.ts';
import { quotedName } from '../extract/sql-names.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import type { DecidedTable } from './decide-table.ts';
import type { Key } from './fields.ts';
import type { FoundKey, ValuesOf } from './find-keys.ts';
import { asItIs, DIFFERENT_ZEROS, type KeyMatch, type KeyValues, keyValues, matchKeys } from './match-keys.ts';
import { cleaned } from './read-values.ts';
import { type DraftColumn, type OpenColumn, withoutAccount } from './write-mapping.ts';

/** Of so many hundredths of a file's keys the account has to be found. */
const MOST_PERCENT = 90;
const isMost = ({ found, keys }: KeyMatch) => keys > 0 && found * 100 >= keys * MOST_PERCENT;

/** Rows of such a part would be empty: a customer without a name beside the one of the account. */
const NOTHING_ELSE = 'no column but the account is decided';

/** Where account numbers are as they will be sent. */
interface Home extends FoundKey {
  table: string;
  values: KeyValues;
}

/**
 * Decides whose the rows of each file are: all files write account numbers as the one with the accounts does. Rows without
 * one are joined by another key, in a file that has both.
 */
export function placeAccounts(tables: readonly DecidedTable[], valuesOf: ValuesOf): void {
  const home = homeOf(tables, valuesOf);
  if (home === undefined) return;
  addAccounts(tables, home);
  for (const decided of tables) {
    const own = accountColumnOf(decided);
    if (own !== undefined) placeByOwn(decided, own, { home, valuesOf });
    else if (decided.parts.length > 0) placeByJoin(decided, tables, { home, valuesOf });
  }
  joinAccounts(tables, home);
}

/** An account is one row: what other files know of it stands in that row too. */
function joinAccounts(tables: readonly DecidedTable[], home: Home): void {
  const parts = tables.flatMap(({ parts: all }) => all.filter(({ kind }) => kind === 'accounts'));
  const first = parts.find(({ table }) => table === home.table);
  const number = first?.columns.find(({ path }) => path === ACCOUNT_NUMBER);
  if (first === undefined || number === undefined) return;
  for (const decided of tables) {
    const part = decided.parts.find(({ kind }) => kind === 'accounts');
    if (part === undefined || part === first || part.lacks !== undefined || withoutAccount(part)) continue;
    if ((decided.keys.get('account')?.column.distinct ?? 0) < decided.table.rows) {
      part.lacks = 'an account has several rows here';
      continue;
    }
    const alias = quotedName(part.table);
    const added = part.columns.filter(({ path }) => !first.columns.some((column) => column.path === path));
    decided.parts.splice(decided.parts.indexOf(part), 1);
    if (added.length === 0) continue;
    const inner = [...part.columns.filter(({ path }) => path === ACCOUNT_NUMBER), ...added];
    const select = inner.map(({ sql, path }) => `${sql} AS ${quotedName(path)}`).join(', ');
    first.joins.push(
      `LEFT JOIN (SELECT ${select} FROM main.${alias} AS t) AS ${alias} ON ${alias}.${quotedName(ACCOUNT_NUMBER)} = ${number.sql}`,
    );
    first.columns.push(
      ...added.map((column) => ({ ...column, sql: `${alias}.${quotedName(column.path)}`, from: part.table })),
    );
  }
}

/** Each account needs a row, though no column says more of it than its number. */
function addAccounts(tables: readonly DecidedTable[], { table }: Home): void {
  if (tables.some(({ parts }) => parts.some(({ kind }) => kind === 'accounts'))) return;
  const parts = tables.find((decided) => decided.table.name === table)?.parts;
  if (parts?.some(({ kind }) => kind === 'customers') !== true) return;
  parts.unshift({ kind: 'accounts', table, columns: [], isDistinct: false, joins: [] });
}

/** The file with the people of the accounts knows their numbers best. */
function homeOf(tables: readonly DecidedTable[], valuesOf: ValuesOf): Home | undefined {
  for (const kinds of [['accounts', 'customers'], ['accounts'], ['customers'], ['supply-points']]) {
    for (const decided of tables) {
      const key = accountColumnOf(decided);
      const hasAll = kinds.every((kind) => decided.parts.some((part) => part.kind === kind));
      if (key === undefined || !hasAll) continue;
      const table = decided.table.name;
      return { table, ...key, values: keyValues(key.column, valuesOf(table, key.column.name)) };
    }
  }
  return undefined;
}

/** The column that names the account of each row of a file. */
function accountColumnOf({ keys, table, parts }: DecidedTable): FoundKey | undefined {
  const named = parts.flatMap(({ columns }) => columns).find(({ path }) => path === ACCOUNT_NUMBER)?.column;
  const exact = table.columns.find(({ name }) => name === named);
  return exact === undefined ? keys.get('account') : { column: exact, says: 'by its name' };
}

interface Among {
  home: Home;
  valuesOf: ValuesOf;
}

function placeByOwn({ table, parts, open }: DecidedTable, key: FoundKey, { home, valuesOf }: Among): void {
  const own = key.column;
  const name = `t.${quotedName(own.name)}`;
  const match = matchOf({ table: table.name, column: own }, home, valuesOf);
  const isHome = table.name === home.table;
  for (const part of parts) {
    const written = part.columns.find(({ path }) => path === ACCOUNT_NUMBER);
    const told = isHome ? counted(own.distinct, 'different number') : foundIn(match, home);
    const without = own.filled < table.rows ? `; ${counted(table.rows - own.filled, 'row')} without one` : '';
    const says = `${(isHome && written?.says) || key.says}; ${told}${without}`;
    const sql = isHome ? cleaned(name, own.survey) : match.sql(name);
    const column: DraftColumn = { path: ACCOUNT_NUMBER, sql, column: own.name, says };
    const others = part.columns.filter((one) => one !== written);
    part.columns =
      written === undefined ? [column, ...others] : part.columns.map((one) => (one === written ? column : one));
    if (!isHome && !isMost(match)) part.lacks = `only ${foundIn(match, home)}: which column names them?`;
    else if (!isHome && part.kind !== 'accounts' && part.columns.length === 1) part.lacks = NOTHING_ELSE;
  }
  removeOpen(open, own.name);
  if (parts.length > 0) return;
  open.push({
    column: own.name,
    says: `${key.says} it names the account; ${foundIn(match, home)}`,
    candidates: [match.sql('…'), ACCOUNT_NUMBER],
  });
}

function placeByJoin(decided: DecidedTable, tables: readonly DecidedTable[], among: Among): void {
  const found = findJoin(decided, tables, among);
  for (const part of decided.parts) {
    if (found === undefined || 'nearly' in found) {
      part.lacks = `no column names the account, and ${found?.nearly ?? 'no other file has a key of these rows beside one'}`;
      continue;
    }
    const column: DraftColumn = { path: ACCOUNT_NUMBER, sql: 'owner."account"', says: found.says };
    part.columns = [column, ...part.columns.filter(({ path }) => path !== ACCOUNT_NUMBER)];
    part.joins.push(found.join);
  }
  if (found !== undefined && 'column' in found) removeOpen(decided.open, found.column);
}

interface FoundJoin {
  join: string;
  says: string;
  column: string;
}

const JOINABLE: readonly Key[] = ['meterPoint', 'customer', 'meter'];

function findJoin(
  decided: DecidedTable,
  tables: readonly DecidedTable[],
  { home, valuesOf }: Among,
): FoundJoin | { nearly: string } | undefined {
  let nearly: string | undefined;
  for (const key of JOINABLE) {
    const own = decided.keys.get(key)?.column;
    if (own === undefined) continue;
    for (const other of tables) {
      const theirs = other.keys.get(key)?.column;
      const account = accountColumnOf(other)?.column;
      if (other === decided || theirs === undefined || account === undefined) continue;
      const from = { column: own, values: valuesOf(decided.table.name, own.name) };
      const match = matchKeys(from, keyValues(theirs, valuesOf(other.table.name, theirs.name)));
      const owner = matchOf({ table: other.table.name, column: account }, home, valuesOf);
      if (match.says.includes(DIFFERENT_ZEROS))
        nearly ??= `of ${own.name}, ${foundIn(match, { table: other.table.name })}`;
      if (!isMost(match) || !isMost(owner)) continue;
      const keySql = asItIs(theirs).sql(`t.${quotedName(theirs.name)}`);
      const accountSql = owner.sql(`t.${quotedName(account.name)}`);
      const table = `FROM main.${quotedName(other.table.name)} AS t`;
      return {
        join: `LEFT JOIN (SELECT "key", min("account") AS "account" FROM (SELECT DISTINCT ${keySql} AS "key", ${accountSql} AS "account" ${table}) GROUP BY 1 HAVING count(*) = 1) AS owner ON owner."key" = ${match.sql(`t.${quotedName(own.name)}`)}`,
        says: `of ${other.table.name}, by ${own.name}; ${foundIn(match, { table: other.table.name })}`,
        column: own.name,
      };
    }
  }
  return nearly === undefined ? undefined : { nearly };
}

function matchOf({ table, column }: Pick<Home, 'table' | 'column'>, home: Home, valuesOf: ValuesOf): KeyMatch {
  return matchKeys({ column, values: valuesOf(table, column.name) }, home.values);
}

function foundIn({ found, keys, says }: KeyMatch, { table }: { table: string }): string {
  return `${grouped(found)} of ${grouped(keys)} keys are in ${table}${says}`;
}

function removeOpen(open: OpenColumn[], name: string): void {
  const at = open.findIndex(({ column }) => column === name);
  if (at !== -1) open.splice(at, 1);
}
