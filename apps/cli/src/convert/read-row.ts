import path from 'node:path';
import type { Column } from './columns.ts';
import { ACCOUNT_NUMBER, COPY_AGAIN, isIdentifierAt, keyColumns, REJECTED_BECAUSE } from './kinds.ts';
import { type CellStyle, readCell, readJson } from './read-cell.ts';
import { BLOB, COMPUTED, type Row } from './relations.ts';
import { gapOfRow, valueOfRow } from './row-shape.ts';
import type { Fault } from './store.ts';
import {
  CURRENCY_LEFT_OUT,
  hasCurrency,
  type Remarks,
  standsBelowATable,
  suspicionOf,
  suspicionOfPostcode,
} from './suspicions.ts';
import type { UnreadableCells } from './unreadable-cells.ts';

/** What a row came to. */
export interface ReadRow {
  row: Row;
  /** Of the columns that say where it belongs, its account number aside. */
  keys: Readonly<Record<string, string>>;
  value: Record<string, unknown>;
  faults: Fault[];
}

/** How rows are told of. */
export interface RowReading {
  /** What is shown of a cell that is refused. */
  shown: (text: string) => string;
  remarks: Remarks;
  unreadable: UnreadableCells;
}

/** Reads the cells of a row: its value, or every fault in it. Spaces alone are an empty cell. */
export function readRow(row: Row, reading: RowReading): ReadRow {
  const { columns, kind } = row.relation;
  const read: ReadRow = { row, keys: {}, value: {}, faults: row.fault === undefined ? [] : [{ detail: row.fault }] };
  if (row.fault !== undefined) return read;
  const unfixed = columns.list.findIndex(
    ({ header }, index) => isReason(header) && row.cells[index]?.endsWith(COPY_AGAIN),
  );
  if (unfixed !== -1) {
    read.faults.push({ detail: 'Was not read whole, and is not fixed yet: see its last cell.' });
    return read;
  }
  if (columns.isWhole) return readWholeRow(read, reading);
  const values = columns.list.map((_column, index) => readColumn(index, read, reading));
  const gap = columns.hasPlaces ? gapOfRow(columns.shape, values) : undefined;
  const gapColumn = gap === undefined ? undefined : columns.list[gap];
  if (gapColumn !== undefined) {
    read.faults.push({
      column: gapColumn.header,
      path: gapColumn.placeInLine,
      detail: 'Is empty, and one behind it is not: the list would have a gap.',
    });
  }
  for (const { postcode, country } of columns.postcodes) {
    const suspicion = suspicionOfPostcode(values[postcode], values[country]);
    const column = columns.list[postcode]?.header ?? '';
    if (suspicion !== undefined) reading.remarks.add({ ...row, column }, suspicion);
  }
  if (kind.into !== undefined) read.keys = keysOf(columns.list, values);
  read.value = (valueOfRow(columns.shape, values) ?? {}) as Record<string, unknown>;
  return read;
}

const isReason = (header: string) => header === REJECTED_BECAUSE;

const IS_COMPUTED =
  "SQLite has computed it as a number, which is not exact: 7 / 2 is 3 there. Use sum_money, add_money or multiply_money, and write a constant as text: '0.00'.";

/** The value of a row that is one text of JSON. */
function readWholeRow(read: ReadRow, { shown, unreadable }: RowReading): ReadRow {
  const { kind } = read.row.relation;
  const text = read.row.cells.find((cell) => cell !== '') ?? '';
  const unread = unreadable.in(text);
  if (unread !== undefined) {
    const detail = `${unread.function} cannot read a value in it. ${unread.detail}`;
    read.faults.push({ column: 'json', detail, shown: shown(unread.argument) });
    return read;
  }
  const { value, fault } = readJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    read.faults.push({ column: 'json', detail: fault ?? 'Must be a JSON object.', shown: shown(text) });
    return read;
  }
  if (read.row.relation.isMapped === true && hasFraction(value)) {
    read.faults.push({ column: 'json', detail: `Has a number with a fraction. ${IS_COMPUTED}` });
    return read;
  }
  read.value = { ...value };
  for (const key of keyColumns(kind)) {
    const { [key]: named, ...rest } = read.value;
    if (typeof named === 'string') read.keys = { ...read.keys, [key]: named };
    read.value = rest;
  }
  return read;
}

function hasFraction(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasFraction);
}

function keysOf(columns: readonly Column[], values: readonly unknown[]): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const [index, { key }] of columns.entries()) {
    const value = values[index];
    if (key !== undefined && typeof value === 'string') keys[key] = value;
  }
  return keys;
}

/** A column with more different values hardly repeats any. */
const MAX_KNOWN_VALUES = 1_000;

function readColumn(index: number, { row, faults }: ReadRow, reading: RowReading): unknown {
  const { relation, cells } = row;
  const column = relation.columns.list[index];
  const style = relation.styles[index];
  const text = cells[index] ?? '';
  if (column === undefined || style === undefined) return undefined;
  const known = style.knownValues?.get(text);
  if (known !== undefined) return known;
  const { value, fault, shown, remarks = [] } = lookAt(text, { column, style, reading });
  if (fault !== undefined) {
    const detail = LOST_OR_CONTROL.test(text)
      ? `${fault} Is the encoding right? ${encodingFlagOf(row)} says it.`
      : fault;
    faults.push({ column: column.header, path: column.placeInLine, detail, shown });
  }
  for (const remark of remarks) reading.remarks.add({ ...row, column: column.header }, remark);
  if (remarks.length === 0 && value !== undefined && column.kind !== 'json') style.knownValues?.set(text, value);
  if (style.knownValues?.size === MAX_KNOWN_VALUES) style.knownValues = undefined;
  return value;
}

/** What a wrong encoding makes of letters. */
const LOST_OR_CONTROL = /(?![\t\r\n])\p{Cc}|\uFFFD/u;

/** Of the kind; of the file, where a mapping has read it. */
const encodingFlagOf = ({ relation, file }: Row) =>
  `--encoding ${relation.isMapped === true ? path.basename(file) : relation.kind.name}=`;

interface Looking {
  column: Column;
  style: CellStyle;
  reading: RowReading;
}

type Look =
  | { fault: string; shown?: string; value?: undefined; remarks?: undefined }
  | { value: unknown; fault?: undefined; shown?: undefined; remarks?: readonly string[] };

/** What a cell says, or what is wrong with it, and what is remarkable about it. */
function lookAt(text: string, { column, style, reading }: Looking): Look {
  if (column.path === undefined && column.key === undefined) return { value: undefined };
  const bare = text.trim();
  if (bare === '' || style.emptyTexts.has(bare)) {
    return column.isRequired ? { fault: 'Must not be empty.' } : { value: undefined };
  }
  const unread = reading.unreadable.in(text);
  if (unread !== undefined) {
    return { fault: `${unread.function} cannot read it. ${unread.detail}`, shown: reading.shown(unread.argument) };
  }
  if (text.startsWith(COMPUTED)) return { fault: IS_COMPUTED };
  if (text === BLOB) return { fault: 'Is a BLOB, not text: CAST it AS TEXT.' };
  if (column.key === ACCOUNT_NUMBER && standsBelowATable(bare))
    return { fault: 'Is a word that stands below a table, not an account: remove the row.' };
  const isName = bare !== text && (column.key !== undefined || isIdentifierAt(column.path ?? []));
  const { value, fault } = readCell(isName ? bare : text, column, style);
  return fault === undefined
    ? { value, remarks: remarksOn(value, { text, column }) }
    : { fault, shown: reading.shown(text) };
}

function remarksOn(value: unknown, { text, column }: { text: string; column: Column }): string[] {
  if (column.kind === 'decimal') return hasCurrency(text) ? [CURRENCY_LEFT_OUT] : [];
  if (column.kind !== 'text' || typeof value !== 'string') return [];
  const suspicion = suspicionOf(value);
  return [...(value === text ? [] : [SPACES_LEFT_OUT]), ...(suspicion === undefined ? [] : [suspicion])];
}

const SPACES_LEFT_OUT = 'had spaces around it, which are left out';
