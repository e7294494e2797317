import { isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { ManifestLine, type ManifestTotals, TransactionType } from '@causeway/contracts';
import { CsvError, parse } from 'csv-parse/sync';
import { STANDARD_INPUT } from '../book-files/book.ts';
import { AS_UTF8, notUtf8 } from '../book-files/not-utf8.ts';
import { openBook } from '../book-files/open-book.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';

const COUNTS = ['notes', 'transactions', 'statements'];

/** A row as its file has it. */
interface TextRow {
  number: number;
  bytes: Buffer;
}

/** A row of a CSV file as the line of a manifest that it stands for; the header has the names of the fields. */
interface CellReader {
  read(row: TextRow): object;
}

/**
 * Reads the rows below a header such as `external_account_number,transfer_balance,by_type.CHARGE.amount`, separated by
 * commas or semicolons. An empty cell claims nothing. Throws a Failure for a column that is no figure, and for a row whose
 * quotes do not match.
 */
function createCellReader(header: TextRow, name: string): CellReader {
  const delimiter = !header.bytes.includes(',') && header.bytes.includes(';') ? ';' : ',';
  const cellsOf = ({ number, bytes }: TextRow): string[] => {
    try {
      const [cells = []] = parse(bytes, { delimiter, relax_column_count: true }) as string[][];
      return cells;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      throw new Failure('usage', `${name}, line ${number}: its quotes do not match.`, { cause: error });
    }
  };
  const columns = cellsOf(header).map((column) => column.trim());
  const known = [
    ...Object.keys(ManifestLine.shape).filter((field) => field !== 'by_type'),
    ...TransactionType.options.flatMap((type) => [`by_type.${type}.count`, `by_type.${type}.amount`]),
  ];
  const unknown = columns.filter((column) => !known.includes(column));
  if (unknown.length > 0) {
    throw new Failure('usage', `${name}: ${unknown.map((one) => `“${one}”`).join(', ')} is no field of a manifest.`, {
      lines: [`  The header has some of: ${known.join(', ')}`],
    });
  }
  return {
    read(row) {
      const line: Record<string, unknown> = {};
      const cells = cellsOf(row);
      // A cell too many would be claimed of nothing: the reader of lines names it.
      for (const [index, cell] of cells.entries()) {
        if (cell !== '') place(line, columns[index] ?? `column ${index + 1}`, cell);
      }
      return line;
    },
  };
}

function place(line: Record<string, unknown>, column: string, cell: string): void {
  const [figure = '', type, part] = column.split('.');
  if (type === undefined || part === undefined) {
    line[figure] = claimOf(figure, cell);
    return;
  }
  const types = { ...(line.by_type as Record<string, object> | undefined) };
  types[type] = { ...types[type], [part]: part === 'count' ? countOf(cell) : cell };
  line.by_type = types;
}

function claimOf(figure: string, cell: string): unknown {
  if (COUNTS.includes(figure)) return countOf(cell);
  if (figure === 'payment_instruction' && /^(?:true|false)$/.test(cell)) return cell === 'true';
  return cell;
}

/** What is no count is refused as it stands. */
const countOf = (cell: string) => (/^[0-9]{1,15}$/.test(cell) ? Number(cell) : cell);

/** What a manifest file says of all its lines, in a line of its own: that which has `totals`. */
export interface ManifestHead {
  totals?: ManifestTotals;
  source_system?: string;
  as_of?: string;
  computed_from_book?: boolean;
}

/** A line about an account as it is lodged, by the number that it has in the file. */
export interface ManifestRow {
  number: number;
  bytes: Buffer;
}

type Surroundings = Pick<Context, 'directory' | 'stdin' | 'stop'>;

/**
 * The lines of a manifest, NDJSON or CSV, packed or not, a few at a time; `head` is told of the line that has the
 * totals. A row of a CSV file comes as the line that it stands for.
 */
export async function* readRows(
  file: string,
  surroundings: Surroundings,
  head: (found: ManifestHead) => void = () => undefined,
): AsyncGenerator<ManifestRow[]> {
  if (file === STANDARD_INPUT) throw new Failure('usage', 'A manifest is read more than once: name a file.');
  const book = await openBook([file], surroundings, { takesCsv: true });
  let toLine: ((row: ManifestRow) => Buffer) | undefined;
  for await (const { lines } of book.batches()) {
    const rows: ManifestRow[] = [];
    for (const { number, bytes } of lines) {
      if (!isUtf8(bytes)) throw notUtf8(file, number, AS_UTF8);
      if (toLine === undefined) {
        const isJson = bytes.toString().trimStart().startsWith('{');
        toLine = isJson ? (row) => row.bytes : lineReader({ number, bytes }, file);
        if (!isJson) continue;
      }
      const found = bytes.includes('"totals"') ? headOf(bytes) : undefined;
      if (found === undefined) rows.push({ number, bytes: toLine({ number, bytes }) });
      else head(found);
    }
    if (rows.length > 0) yield rows;
  }
}

function lineReader(header: ManifestRow, file: string): (row: ManifestRow) => Buffer {
  const reader = createCellReader(header, file);
  return (row) => Buffer.from(JSON.stringify(reader.read(row)));
}

/** Undefined of a line about an account, and of what is no JSON, which is refused as one. */
function headOf(bytes: Buffer): ManifestHead | undefined {
  try {
    const parsed = JSON.parse(bytes.toString());
    return Object.hasOwn(parsed, 'totals') ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const MAX_LINES = 5_000;
const MAX_BYTES = 4_194_304;
const LINE_FEED = Buffer.from('\n');

/**
 * Cuts the lines into parts as they are lodged, always in the same places and not packed: so the digest of a manifest
 * is that of its lines, on every machine.
 */
export async function* cutParts(rows: AsyncIterable<ManifestRow[]>): AsyncGenerator<Buffer<ArrayBuffer>> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const some of rows) {
    for (const row of some) {
      if (pieces.length === 2 * MAX_LINES || (bytes > 0 && bytes + row.bytes.length + 1 > MAX_BYTES)) {
        yield Buffer.concat(pieces);
        pieces = [];
        bytes = 0;
      }
      pieces.push(row.bytes, LINE_FEED);
      bytes += row.bytes.length + 1;
    }
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

/** The digest of a manifest, of its parts in their order (behaviour 22.3.3). */
export class ManifestDigest {
  readonly #digest = createHash('sha256');
  parts = 0;

  add(part: Uint8Array): void {
    this.#digest.update(`${hash('sha256', part)}\n`);
    this.parts += 1;
  }

  hex(): string {
    return this.#digest.digest('hex');
  }
}
