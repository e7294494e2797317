import { KIND_NAMES, type KindName, viewOf } from '../convert/kind-names.ts';
import { ACCOUNT_NUMBER } from '../convert/kinds.ts';
import { quotedName } from '../extract/sql-names.ts';
import { decidePayments } from './decide-payments.ts';
import type { ColumnFacts, DecidedTable, DraftColumn, DraftPart, OpenColumn, TableFacts } from './draft.ts';
import type { Field, Key } from './fields.ts';
import { findKinds } from './find-kinds.ts';
import { judgeColumn, type Knowledge } from './judge-column.ts';
import { kindOfPaths, type Meaning, meaningsOf } from './name-column.ts';
import type { Verdict } from './verdict.ts';

/** A field that a column can be, and how it is read. */
interface Claim {
  column: ColumnFacts;
  field: Field;
  verdict: Verdict;
}

const KEY_PATHS: Readonly<Record<Exclude<Key, 'customer'>, (kind: KindName) => string | undefined>> = {
  account: () => ACCOUNT_NUMBER,
  meterPoint: (kind) =>
    kind === 'supply-points' ? 'meter_points.identifier' : ofMeterPoint(kind, 'meter_point_identifier'),
  meter: (kind) => {
    if (kind === 'supply-points') return 'meter_points.meters.meter_serial_number';
    return kind === 'agreements' ? undefined : ofMeterPoint(kind, 'meter_serial_number');
  },
};

const ofMeterPoint = (kind: KindName, path: string) =>
  ['registers', 'readings', 'agreements'].includes(kind) ? path : undefined;

/** What rows of several kinds have in common: one column may be in all of them. */
const SHARED = new Set([
  ...[ACCOUNT_NUMBER, 'meter_point_identifier', 'meter_points.identifier', 'meter_serial_number'],
  ...['meter_points.meters.meter_serial_number', 'register_id', 'transaction_id'],
]);

/** Decides which kinds a file holds, and which field each column is. */
export function decideTable(table: TableFacts, knowledge: Knowledge): DecidedTable {
  const headers = table.columns.map(({ name }) => name);
  const meanings = meaningsOf(headers);
  const keys = keysOf(table, meanings);
  const exact = kindOfPaths(headers, table.name);
  if (exact !== undefined) return { table, ...asItStands(table, exact, knowledge), keys };
  const claims = table.columns.flatMap((column) => claimsOf(column, meanings.get(column.name), { keys, knowledge }));
  const fits = claims.filter(({ verdict }) => !verdict.isOpen);
  const isSite = keys.has('meterPoint');
  const kinds = findKinds(fieldsByKind(claims.filter((claim) => !isSite || !isOfSite(claim, claims))));
  const taken = fits.filter((claim) => isChosen(claim, { fits, kinds }));
  const parts = kinds.map((kind) => partOf(table, kind, taken));
  const used = new Set(parts.flatMap(({ columns }) => columns.map(({ column }) => column)));
  const open = table.columns
    .filter(({ name }) => !used.has(name))
    .map((column) => openColumn(column, meanings.get(column.name), { claims, kinds }));
  const decided = { table, parts, open, keys };
  decidePayments(decided);
  return decided;
}

/** A file whose headers are paths already. */
function asItStands(
  table: TableFacts,
  kind: KindName,
  knowledge: Knowledge,
): { parts: DraftPart[]; open: OpenColumn[] } {
  const columns = table.columns.map((column): DraftColumn => {
    const verdict = judgeColumn(column, { kind, path: column.name }, knowledge);
    const name = `t.${quotedName(column.name)}`;
    const sql = verdict.isOpen ? name : verdict.sql(name);
    return { path: column.name, sql, column: column.name, says: `its name is the path; ${verdict.says}` };
  });
  return { parts: [{ kind, table: table.name, columns, isDistinct: false, joins: [] }], open: [] };
}

function keysOf({ columns }: TableFacts, meanings: ReadonlyMap<string, Meaning>): Map<Key, ColumnFacts> {
  const keys = new Map<Key, ColumnFacts>();
  const twice = new Set<Key>();
  for (const column of columns) {
    const key = meanings.get(column.name)?.key;
    if (key === undefined || column.survey.values === 0) continue;
    if (keys.has(key)) twice.add(key);
    keys.set(key, column);
  }
  for (const key of twice) keys.delete(key);
  return keys;
}

function claimsOf(
  column: ColumnFacts,
  meaning: Meaning | undefined,
  { keys, knowledge }: { keys: ReadonlyMap<Key, ColumnFacts>; knowledge: Knowledge },
): Claim[] {
  const key = [...keys].find(([, one]) => one === column)?.[0];
  const fields = [...(meaning?.fields ?? [])];
  if (key !== undefined && key !== 'customer') {
    for (const kind of KIND_NAMES) {
      const path = KEY_PATHS[key](kind);
      if (path !== undefined) fields.push({ kind, path });
    }
  }
  for (const { kind, path } of [...fields]) {
    if (kind !== 'transactions' || path !== 'transaction_id') continue;
    fields.push({ kind: 'line-items', path }, { kind: 'tax-items', path });
  }
  return fields.map((field) => ({ column, field, verdict: judgeColumn(column, field, knowledge) }));
}

/** Beside a meter point, an address that does not say whose it is does not make an account. */
const isOfSite = ({ field, column }: Claim, claims: readonly Claim[]) =>
  field.kind === 'accounts' && claims.some((other) => other.column === column && other.field.kind === 'supply-points');

function fieldsByKind(claims: readonly Claim[]): Map<KindName, Set<string>> {
  const fields = new Map<KindName, Set<string>>();
  for (const { field, column } of claims) {
    if (column.survey.values === 0) continue;
    fields.set(field.kind, (fields.get(field.kind) ?? new Set()).add(field.path));
  }
  return fields;
}

/** Of a kind that the file holds; no other column claims the same field, and this column no other field. */
function isChosen(
  { field, column }: Claim,
  { fits, kinds }: { fits: readonly Claim[]; kinds: readonly KindName[] },
): boolean {
  if (!kinds.includes(field.kind)) return false;
  const rivals = fits.filter((other) => other.field.kind === field.kind && other.field.path === field.path);
  if (rivals.length > 1) return false;
  const others = fits.filter(
    (other) => other.column === column && kinds.includes(other.field.kind) && other.field.path !== field.path,
  );
  const isAlone = fits.every(
    (other) => other.column !== column || other.field.kind === field.kind || !kinds.includes(other.field.kind),
  );
  return SHARED.has(field.path) || (others.length === 0 && isAlone);
}

function partOf(table: TableFacts, kind: KindName, taken: readonly Claim[]): DraftPart {
  const columns = taken.flatMap(({ column, field, verdict }): DraftColumn[] => {
    if (field.kind !== kind || verdict.isOpen) return [];
    const sql = verdict.sql(`t.${quotedName(column.name)}`);
    return [{ path: field.path, sql, column: column.name, says: `by its name; ${verdict.says}` }];
  });
  return { kind, table: table.name, columns: accountFirst(columns), isDistinct: false, joins: [] };
}

const accountFirst = (columns: readonly DraftColumn[]) => [
  ...columns.filter(({ path }) => path === ACCOUNT_NUMBER),
  ...columns.filter(({ path }) => path !== ACCOUNT_NUMBER),
];

function openColumn(
  column: ColumnFacts,
  meaning: Meaning | undefined,
  { claims, kinds }: { claims: readonly Claim[]; kinds: readonly KindName[] },
): OpenColumn {
  const { name } = column;
  const own = claims.filter(
    (claim) => claim.column === column && (kinds.length === 0 || kinds.includes(claim.field.kind)),
  );
  const nameOf = ({ kind, path }: Field) => `${viewOf(kind)}.${path}`;
  const refused = own.find(({ verdict }) => verdict.isOpen);
  if (column.survey.values === 0) return { column: name, says: 'it has no values', candidates: [] };
  if (refused?.verdict.isOpen === true) {
    const candidates = refused.verdict.candidates.length > 0 ? refused.verdict.candidates : [nameOf(refused.field)];
    return { column: name, says: `by its name ${nameOf(refused.field)}, but ${refused.verdict.says}`, candidates };
  }
  const all = [...(meaning?.fields ?? []), ...(meaning?.weak ?? [])];
  const near = [...own.map(({ field }) => field), ...all.filter(({ kind }) => kinds.includes(kind))];
  const key = meaning?.key === undefined ? [] : ['external_account_number'];
  const candidates = [...new Set([...(near.length > 0 ? near : all).map(nameOf), ...key])];
  if (candidates.length === 0) return { column: name, says: 'no field has such a name', candidates };
  if (own.length > 0 && kinds.length > 0) {
    return { column: name, says: 'another column may be this field, or it may be several', candidates };
  }
  const says = near.length > 0 ? 'its name says too little' : 'nothing else in this file says so';
  return { column: name, says, candidates };
}
