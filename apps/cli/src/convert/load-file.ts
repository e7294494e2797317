import { Failure } from '../frame/failure.ts';
import { type Columns, readHeader } from './columns.ts';
import { type CsvFile, EXPECTED_FORM } from './csv-file.ts';
import { KINDS } from './kinds.ts';
import { type ConvertOptions, filesOf, hasDecimalComma, valueFor } from './options.ts';
import type { CellStyle } from './read-cell.ts';
import { createDateReader } from './read-date.ts';
import { createDatetimeReader } from './read-datetime.ts';
import { readRecords } from './read-records.ts';
import { ColumnNeedsOption, type ReadRow, type RowReader, readRow } from './read-row.ts';
import { separatorOf } from './separator.ts';
import type { Store } from './store.ts';

/** A file whose rows are in the store. */
export interface LoadedFile extends CsvFile {
  separator: string;
  isSeparatorGuessed: boolean;
  guessedDateFormat: string | undefined;
  rows: number;
}

/** What the loading of all files has in common. */
export interface Loading {
  options: ConvertOptions;
  store: Store;
  /** Called now and then; throws to stop. */
  onRows: (rows: number) => void;
  onBytes: (bytes: number) => void;
}

/** Thrown where a file can be read in two ways: `flag` is one that would say which. Other files may need one too. */
export class FileNeedsFlag extends Error {
  override readonly name = 'FileNeedsFlag';
  readonly flag: string;

  constructor(sentence: string, flag: string) {
    super(sentence);
    this.flag = flag;
  }
}

const ROWS_BETWEEN_CALLS = 1_000;

/**
 * Reads nothing but the header of a file.
 *
 * @throws Failure where it has columns that it must not have, or lacks some
 */
export async function checkHeader(file: CsvFile, options: ConvertOptions): Promise<void> {
  const { separator } = await separatorOf(file, options);
  for await (const { cells } of readRecords(file, separator, () => {})) {
    columnsOf(cells, file, options);
    return;
  }
}

function columnsOf(header: readonly string[], file: CsvFile, options: ConvertOptions): Columns {
  const columns = readHeader(header, file.kind, { file: file.name, options });
  refuseTwoPlaces(columns, file, options);
  return columns;
}

/**
 * Reads a file into the store, each row with its account and its faults.
 *
 * @throws FileNeedsFlag where only its owner knows how to read it
 */
export async function loadFile(file: CsvFile, loading: Loading): Promise<LoadedFile> {
  const { options, store, onRows, onBytes } = loading;
  const { separator, isGuessed } = await separatorOf(file, options);
  const style = styleOf(file, options);
  let reader: RowReader | undefined;
  let rows = 0;
  for await (const { line, cells } of readRecords(file, separator, onBytes)) {
    if (reader === undefined) {
      const columns = columnsOf(cells, file, options);
      reader = { columns, kind: file.kind, style, shown: options.showValues ? (text) => text : masked };
      continue;
    }
    const row = rowAt(cells, reader, { file, line });
    keep(row, { file, line, columns: reader.columns }, { options, store });
    rows += 1;
    if (rows % ROWS_BETWEEN_CALLS === 0) onRows(ROWS_BETWEEN_CALLS);
  }
  if (reader === undefined) throw new Failure('usage', `${file.name} is empty: it needs a header.`, EXPECTED_FORM);
  onRows(rows % ROWS_BETWEEN_CALLS);
  return { ...file, separator, isSeparatorGuessed: isGuessed, guessedDateFormat: style.dates.guessed(), rows };
}

function styleOf({ kind }: CsvFile, options: ConvertOptions): CellStyle {
  try {
    const dates = createDateReader(valueFor(options.dateFormat, kind.name));
    return {
      decimals: { hasComma: hasDecimalComma(options, kind.name), kind: kind.name },
      dates,
      datetimes: createDatetimeReader(dates, valueFor(options.timeZone, kind.name)),
      emptyText: valueFor(options.emptyText, kind.name),
    };
  } catch (error) {
    if (error instanceof RangeError) throw new Failure('usage', error.message);
    throw error;
  }
}

type At = { file: CsvFile; line: number };

function rowAt(cells: readonly string[], reader: RowReader, { file, line }: At): ReadRow {
  try {
    return readRow(cells, reader);
  } catch (error) {
    if (!(error instanceof ColumnNeedsOption)) throw error;
    const { flag, example, message } = error.need;
    const sentence = `${file.name} line ${line}, column ${error.column}: the value ${message}.`;
    throw new FileNeedsFlag(sentence, `${flag} ${file.kind.name}=${example}`);
  }
}

function keep(
  row: ReadRow,
  { file, line, columns }: At & { columns: Columns },
  { options, store }: Pick<Loading, 'options' | 'store'>,
): void {
  const { account, faults } = row;
  const place = { file: file.index, line };
  const { json, item } = texts(row.value, { file, columns, options, faults });
  for (const fault of faults) store.addFault(account, place, fault);
  if (account === undefined) return;
  const kind = KINDS.indexOf(file.kind);
  store.addRow({ account, kind, ...place, json: faults.length > 0 ? null : json, item });
}

type Writing = { file: CsvFile; columns: Columns; options: ConvertOptions; faults: ReadRow['faults'] };

/** The JSON of a row's value, and of what is in it but not of it: an account's control, the one item of a joined row. */
function texts(
  value: Record<string, unknown>,
  { file, columns, options, faults }: Writing,
): { json: string; item: string | null } {
  if (file.kind.field === '') {
    const { control, ...account } = value;
    const { supplier = account.import_supplier } = options;
    if (account.import_supplier !== undefined && account.import_supplier !== supplier) {
      faults.push({ column: 'import_supplier', path: 'import_supplier', detail: 'Is another one than --supplier.' });
    }
    const json = JSON.stringify({ import_supplier: supplier, ...account });
    return { json, item: control === undefined ? null : JSON.stringify(control) };
  }
  const { itemOfRow } = file.kind;
  if (!columns.joinsRows || itemOfRow === undefined) return { json: JSON.stringify(value), item: null };
  const { [itemOfRow]: items, ...rest } = value;
  return { json: JSON.stringify(rest), item: Array.isArray(items) ? JSON.stringify(items[0]) : null };
}

/** One of the two would be lost, or sent twice. */
function refuseTwoPlaces({ list }: Columns, { name, kind }: CsvFile, options: ConvertOptions): void {
  if (kind.field !== '') return;
  const other = KINDS.find(
    ({ field, fieldOfSeveral = field, name: flag }) =>
      field !== '' &&
      filesOf(options, flag).length > 0 &&
      list.some(({ path }) => path?.[0] === field || path?.[0] === fieldOfSeveral),
  );
  if (other === undefined) return;
  throw new Failure(
    'usage',
    `${name} has columns of ${other.field}, and --${other.name} brings them too. Give them in one place.`,
  );
}

const MAX_SHOWN = 40;

/** The form of a value without what it says: letters become x, digits 9. */
function masked(text: string): string {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return cut
    .replace(/\p{Lu}/gu, 'X')
    .replace(/[^\P{L}X]/gu, 'x')
    .replace(/\p{N}/gu, '9');
}
