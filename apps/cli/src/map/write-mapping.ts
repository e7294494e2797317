import { requiredFields } from '@causeway/contracts';
import { KIND_NAMES, type KindName, viewOf } from '../convert/kind-names.ts';
import { ACCOUNT_NUMBER, keyColumns, kindNamed } from '../convert/kinds.ts';
import { quotedName, quotedText, sqlComment } from '../extract/sql-names.ts';

/** A column of a view: a field, and what fills it. */
export interface DraftColumn {
  path: string;
  sql: string;
  /** The column of the file; undefined: a constant, or another file's. */
  column?: string;
  /** Another column of the same file that is in it too. */
  also?: string;
  /** The file of the column, where it is not that of the rows. */
  from?: string;
  /** Why, in words. */
  says: string;
}

/** A column of a file that only its owner can place. */
export interface OpenColumn {
  column: string;
  says: string;
  /** Fields, or expressions, that it may be. */
  candidates: readonly string[];
}

/** The rows of one file, as a kind. */
export interface DraftPart {
  kind: KindName;
  table: string;
  columns: DraftColumn[];
  /** Rows of the file are one row of the kind where these columns agree. */
  isDistinct: boolean;
  /** Other files that know more of the rows, each a line of SQL. */
  joins: string[];
  /** Why it cannot be used as it stands. */
  lacks?: string;
}

/** What `map` proposes, and leaves open. */
export interface Draft {
  parts: readonly DraftPart[];
  open: ReadonlyMap<string, readonly OpenColumn[]>;
}

/** Whose parts have no account number cannot be used. */
export const withoutAccount = ({ columns }: DraftPart) => !columns.some(({ path }) => path === ACCOUNT_NUMBER);

/** What `map` says of a file above its views. */
export interface FileWords {
  table: string;
  says: string;
}

/**
 * The draft as SQL that a person edits: a view a kind, a column a line, each with its reason behind it. What is not decided
 * is a comment. No value of a file is in it.
 */
export function writeMapping(draft: Draft, files: readonly FileWords[], supplier: string | undefined): string {
  const lines = [
    '-- A draft: read every line, and change it as you know better. Lines with ? are not decided.',
    '-- All fields that there are: causeway fields',
    '-- Then: causeway map check mapping.sql FILES, and causeway convert --mapping mapping.sql -o book.ndjson FILES',
    ...files.map(({ table, says }) => sqlComment(`${table}: ${says}`)),
  ];
  const toldOf = new Set<string>();
  for (const kind of KIND_NAMES) {
    const parts = draft.parts.filter((part) => part.kind === kind);
    if (parts.length === 0) continue;
    const opens = parts.map(({ table }) => (toldOf.has(table) ? [] : (draft.open.get(table) ?? [])));
    for (const { table } of parts) toldOf.add(table);
    lines.push('', ...viewLines(kind, parts, { opens, supplier }));
  }
  for (const { table } of files) {
    const open = draft.open.get(table) ?? [];
    if (toldOf.has(table) || open.length === 0) continue;
    lines.push('', sqlComment(`? ${table}: no view takes these columns.`));
    lines.push(...open.map((column) => openLine(column)));
  }
  return `${lines.join('\n')}\n`;
}

function viewLines(
  kind: KindName,
  parts: readonly DraftPart[],
  { opens, supplier }: { opens: readonly (readonly OpenColumn[])[]; supplier: string | undefined },
): string[] {
  const view = viewOf(kind);
  const isWhole = (part: DraftPart) => part.lacks === undefined && !withoutAccount(part);
  const whole = parts.filter(isWhole);
  const paths = [...new Set(whole.flatMap(({ columns }) => columns.map(({ path }) => path)))];
  const split = SPLITS[kind];
  const lines = whole.length > 0 && split !== undefined ? [sqlComment(split)] : [];
  for (const [index, part] of parts.entries()) {
    if (!isWhole(part)) continue;
    const isFirst = part === whole[0];
    lines.push(isFirst ? `CREATE TEMP VIEW ${quotedName(view)} AS` : 'UNION ALL');
    const select = { open: opens[index] ?? [], supplier, saysPlaces: !whole.every(({ isDistinct }) => isDistinct) };
    lines.push(...selectLines(part, whole.length > 1 ? paths : undefined, select));
  }
  if (whole.length > 0) lines.push(';');
  for (const [index, part] of parts.entries()) {
    if (isWhole(part)) continue;
    const why = part.lacks ?? 'no column names the account';
    lines.push(sqlComment(`? ${view} of ${part.table}: ${why}`));
    const select = selectLines(part, undefined, { open: opens[index] ?? [], supplier, saysPlaces: false });
    lines.push(...[`CREATE TEMP VIEW ${quotedName(view)} AS`, ...select, ';'].map(asOpen));
  }
  return lines;
}

/** What the rows of a file do not say: to which of two lists each belongs. */
const SPLITS: Readonly<Partial<Record<KindName, string>>> = {
  transactions:
    'Rows on or before the last_billed_to_date of their account belong in a view "historical_transactions" with the same columns: add WHERE to both.',
  readings:
    'These become transfer_readings, those of the move. Earlier ones belong in a view "reading_history" with the same columns: add WHERE to both.',
};

const asOpen = (line: string) => (line.startsWith('-- ?') ? line : sqlComment(`? ${line}`));

/** With the columns of all parts of a union, in their order. */
function selectLines(
  part: DraftPart,
  paths: readonly string[] | undefined,
  { open, supplier, saysPlaces }: { open: readonly OpenColumn[]; supplier: string | undefined; saysPlaces: boolean },
): string[] {
  const columns = (paths ?? part.columns.map(({ path }) => path)).map(
    (path): DraftColumn =>
      part.columns.find((column) => column.path === path) ?? { path, sql: 'NULL', says: absent(part, path, open) },
  );
  const lacking = lackingColumns(part, columns, supplier);
  const filled = [...columns, ...lacking.filter(({ sql }) => sql !== '')];
  return [
    part.isDistinct ? 'SELECT DISTINCT' : 'SELECT',
    ...filled.map(({ path, sql, says }, index) => {
      return `${index === 0 ? '    ' : '  , '}${sql} AS ${quotedName(path)}  ${sqlComment(says)}`;
    }),
    ...lacking
      .filter(({ sql }) => sql === '')
      .map(({ path, says }) => sqlComment(`? , … AS ${quotedName(path)}  -- ${says}`)),
    ...(saysPlaces ? [part.isDistinct ? '  , NULL AS _file, NULL AS _line' : PLACES] : []),
    ...open.map(openLine),
    `FROM main.${quotedName(part.table)} AS t`,
    ...part.joins,
  ];
}

const PLACES = '  , t._file, t._line  -- where the row is, should it be refused';

/** Of a column that other files of the view have. */
function absent({ kind }: DraftPart, path: string, open: readonly OpenColumn[]): string {
  const field = `${viewOf(kind)}.${path}`;
  const isOpen = open.some(({ candidates }) => candidates.includes(field));
  return isOpen ? 'not decided: replace it by a line below' : 'not in this file';
}

/** What the kind needs and no column fills. */
function lackingColumns(
  { kind }: DraftPart,
  columns: readonly DraftColumn[],
  supplier: string | undefined,
): DraftColumn[] {
  const { schema, into } = kindNamed(kind);
  const keys = keyColumns({ ...kindNamed(kind) }).filter(
    (key) => !into?.steps.some((step) => step.column === key && step.isOptional),
  );
  const required = [...keys, ...requiredFields(schema)];
  const lacking = required.filter(
    (path) => path !== ACCOUNT_NUMBER && !columns.some((one) => `${one.path}.`.startsWith(`${path}.`)),
  );
  return lacking.map((path) => {
    if (path !== 'import_supplier') return { path, sql: '', says: 'required, and no column fills it' };
    if (supplier === undefined)
      return { path, sql: '', says: 'required: write it here, or give --supplier CODE to convert' };
    return { path, sql: quotedText(supplier), says: 'by --supplier' };
  });
}

function openLine({ column, says, candidates }: OpenColumn): string {
  const name = `t.${quotedName(column)}`;
  const [first] = candidates;
  const sql = first?.includes('…') ? first.replace('…', name) : name;
  const fields = candidates.filter((one) => !one.includes('…'));
  const target = fields.length === 1 ? (fields[0] ?? '').replace(/^\w+\.(?=.)/, '') : undefined;
  const isOnlyReading = candidates.filter((one) => one.includes('…')).length === 1;
  const untold = candidates.filter((one) => !says.includes(one) && one !== target && !(isOnlyReading && one === first));
  const others = untold.length > 0 ? `; it may be ${untold.join(', or ')}` : '';
  return sqlComment(`? , ${sql} AS ${target === undefined ? '…' : quotedName(target)}  -- ${says}${others}`);
}
