import { KIND_NAMES, type KindName } from '../convert/kind-names.ts';
import { ACCOUNT_NUMBER } from '../convert/kinds.ts';
import { quotedName } from '../extract/sql-names.ts';
import { wordsOfCut } from './cut-texts.ts';
import { type Field, type Key, NAMED_FIELDS } from './fields.ts';
import type { Keys, NamedTable } from './find-keys.ts';
import { type Claim, fieldsByValues, openColumn } from './guess-column.ts';
import { judgeColumn, type Knowledge } from './judge-column.ts';
import { decideTogether, findKinds, kindOfPaths, type Meaning } from './name-column.ts';
import { wordsOf } from './name-words.ts';
import type { ColumnFacts, TableFacts } from './survey-values.ts';
import type { DraftColumn, DraftPart, OpenColumn } from './write-mapping.ts';

/** What was decided of one file by itself: whose its rows are is decided with the others. */
export interface DecidedTable {
  table: TableFacts;
  parts: DraftPart[];
  open: OpenColumn[];
  keys: Keys;
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
  ...['meter_points.meters.meter_serial_number', 'register_id', 'transaction_id', 'reading_date', 'reading_at'],
]);
/** Of a statement, where no row is a line of one. */
const OF_WHOLE_STATEMENT = new Set(['net_amount', 'tax_amount']);

/** Decides which kinds a file holds, and which field each column is. */
export function decideTable({ table, meanings }: NamedTable, keys: Keys, knowledge: Knowledge): DecidedTable {
  const exact = kindOfPaths([...meanings.keys()], table.name);
  if (exact !== undefined) return { table, ...asItStands(table, exact, knowledge), keys };
  const fieldsOf = (column: ColumnFacts) => fieldsByName(column, { table, meanings });
  const named = table.columns.flatMap((column) => claimsByName(column, fieldsOf(column), { keys, knowledge }));
  const isSite = keys.has('meterPoint');
  const claims = [...named, ...claimsByValues(table, { named, knowledge, meanings, keys })];
  const kinds = findKinds(fieldsByKind(named.filter((claim) => !isSite || !isOfSite(claim, named))));
  if (keys.get('account')?.isHome === true) addKindsOfHome(kinds, claims);
  const isOfLine = ({ kind, path }: Field) =>
    kind === 'statements' && OF_WHOLE_STATEMENT.has(path) && kinds.includes('line-items');
  const fits = claims.filter(({ field, verdict }) => !verdict.isOpen && !isOfLine(field));
  const taken = fits.filter((claim) => isChosen(claim, { fits, kinds }));
  const parts = kinds.map((kind) => partOf(table, kind, taken));
  const used = new Set(parts.flatMap(({ columns }) => columns.map(({ column }) => column)));
  const open = table.columns
    .filter(({ name }) => !used.has(name))
    .map((column) => openColumn(column, meanings.get(column.name), { claims, kinds, free: freeFields(kinds, taken) }));
  const decided = { table, parts, open, keys };
  decideTogether(decided);
  return decided;
}

/** A file with a row an account holds accounts; with their e-mail addresses or phones, people too. */
function addKindsOfHome(kinds: KindName[], claims: readonly Claim[]): void {
  const hasPeople = claims.some(({ field, verdict }) => field.kind === 'customers' && !verdict.isOpen);
  for (const kind of hasPeople ? (['accounts', 'customers'] as const) : (['accounts'] as const)) {
    if (!kinds.includes(kind)) kinds.push(kind);
  }
}

/** The fields of a file's kinds that no column fills. */
function freeFields(kinds: readonly KindName[], taken: readonly Claim[]): Field[] {
  const isTaken = ({ kind, path }: Field) => taken.some(({ field }) => field.kind === kind && field.path === path);
  return NAMED_FIELDS.filter((field) => kinds.includes(field.kind) && !isTaken(field));
}

/** A file whose headers are paths already. */
function asItStands(table: TableFacts, kind: KindName, knowledge: Knowledge): Pick<DecidedTable, 'parts' | 'open'> {
  const columns = table.columns.map((column): DraftColumn => {
    const verdict = judgeColumn(column, { kind, path: column.name }, knowledge);
    const name = `t.${quotedName(column.name)}`;
    const sql = verdict.isOpen ? name : verdict.sql(name);
    return { path: column.name, sql, column: column.name, says: `its name is the path; ${verdict.says}` };
  });
  return { parts: [{ kind, table: table.name, columns, isDistinct: false, joins: [] }], open: [] };
}

interface Among {
  keys: Keys;
  knowledge: Knowledge;
}

/** What a name means, and what it says too little of alone where the file says the rest. */
function fieldsByName(column: ColumnFacts, { table, meanings }: NamedTable): Field[] {
  const meaning = meanings.get(column.name);
  const { distinct, filled, values } = column;
  const hasField = (path: string) =>
    table.columns.some(({ name }) => meanings.get(name)?.fields.some((field) => field.path === path) === true);
  const isOneWord = values.filter((value) => value.trim().includes(' ')).length * 10 < values.length;
  const told: Readonly<Record<string, boolean>> = {
    // The number of a document is a transaction's, unless a document has several rows.
    transaction_id: filled > 1 && distinct === filled,
    // Beside a given name, a name is that of a family, unless it is of several words.
    reading_value: hasField('reading_date'),
    status: hasField('statement_id'),
    // The periods of Spanish tariffs are registers.
    register_id: values.length > 0 && values.every((value) => /^P[1-6]$/.test(value.trim())),
    // Whose contract it is says whose account it is, but not at a meter point.
    billing_name:
      wordsOf(column.name).includes('titular') && ![...meanings.values()].some(({ key }) => key === 'meterPoint'),
    family_name: hasField('given_name') && !hasField('family_name') && isOneWord,
  };
  return [...(meaning?.fields ?? []), ...(meaning?.weak ?? []).filter(({ path }) => told[path] === true)];
}

function claimsByName(column: ColumnFacts, named: readonly Field[], { keys, knowledge }: Among): Claim[] {
  const [key, found] = [...keys].find(([, one]) => one.column === column) ?? [];
  const fields = [...named];
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
  const says = found?.says ?? 'by its name';
  const different = new Map(fields.map((field) => [`${field.kind} ${field.path}`, field]));
  return [...different.values()].map((field) => ({
    column,
    field,
    verdict: judgeColumn(column, field, knowledge),
    says,
  }));
}

/** Columns whose values say what they are, where no name claims the same field. */
function claimsByValues(
  { columns }: TableFacts,
  { named, knowledge, meanings, keys }: Among & { named: readonly Claim[]; meanings: NamedTable['meanings'] },
): Claim[] {
  const unnamed = columns.filter(
    (column) =>
      named.every((claim) => claim.column !== column) && ![...keys.values()].some((key) => key.column === column),
  );
  return unnamed.flatMap((column) =>
    fieldsByValues(column)
      .filter(({ kind, path }) => !named.some(({ field }) => field.kind === kind && field.path === path))
      .filter((field) => isPossible(field, meanings.get(column.name)))
      .map((field) => ({ column, field, verdict: judgeColumn(column, field, knowledge), says: 'by its values' })),
  );
}

/** A name that may mean other fields contradicts. */
const isPossible = (field: Field, meaning: Meaning | undefined) =>
  meaning === undefined || meaning.weak.length === 0 || meaning.weak.some(({ path }) => path === field.path);

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
  const others = fits.filter((other) => other.column === column && kinds.includes(other.field.kind));
  return SHARED.has(field.path) || others.length === 1;
}

function partOf(table: TableFacts, kind: KindName, taken: readonly Claim[]): DraftPart {
  const columns = taken.flatMap(({ column, field, verdict, says }): DraftColumn[] => {
    if (field.kind !== kind || verdict.isOpen) return [];
    const sql = verdict.sql(`t.${quotedName(column.name)}`);
    return [
      { path: field.path, sql, column: column.name, says: `${says}; ${verdict.says}${wordsOfCut(column.values)}` },
    ];
  });
  const isNumber = ({ path }: DraftColumn) => path === ACCOUNT_NUMBER;
  const ordered = [...columns.filter(isNumber), ...columns.filter((column) => !isNumber(column))];
  return { kind, table: table.name, columns: ordered, isDistinct: false, joins: [] };
}
