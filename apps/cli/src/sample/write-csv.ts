import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '@causeway/book';
import { KINDS, type Kind } from '../convert/kinds.ts';
import { openOwnFile } from '../frame/own-file.ts';

/** A row of a CSV file: the text of each column. */
type SampleRow = ReadonlyMap<string, string>;

type Fields = Record<string, unknown>;

/** What may have any JSON below: such a field is one cell, of JSON. */
const ANY_JSON = new Set(['metadata', 'additional_data', 'business']);

/** The rows of every kind that a line of a book becomes: what `convert` makes of them is the line again. */
function rowsOfLine(line: Fields): Map<Kind, SampleRow[]> {
  const { account = {}, control } = line as { account?: Fields; control?: unknown };
  const number = String(account.external_account_number ?? line.external_account_number);
  const rows = new Map<Kind, SampleRow[]>();
  const own: Fields = line.account === undefined ? {} : { ...account, control };
  for (const kind of KINDS) {
    if (kind.field === '' || kind.into !== undefined) continue;
    const value = (kind.isInAccount ? account : line)[kind.field];
    if (kind.isInAccount) delete own[kind.field];
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
    if (values.length > 0)
      rows.set(
        kind,
        values.map((one) => rowOf({ external_account_number: number, ...one })),
      );
  }
  const [accounts] = KINDS;
  if (accounts !== undefined && line.account !== undefined) rows.set(accounts, [rowOf(own)]);
  return rows;
}

function rowOf(value: Fields): SampleRow {
  const row = new Map<string, string>();
  for (const [name, field] of Object.entries(value)) addCells(row, name, field);
  return row;
}

function addCells(row: Map<string, string>, path: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || ANY_JSON.has(path)) {
    row.set(path, typeof value === 'object' ? JSON.stringify(value) : String(value));
    return;
  }
  for (const [name, field] of Object.entries(value)) addCells(row, `${path}.${name}`, field);
}

/** A CSV file of the sample. */
export interface CsvOfKind {
  kind: Kind['name'];
  name: string;
}

/**
 * Writes lines of a book as a CSV file a kind, each column of which some row has. The lines are asked for once to know
 * the columns and once a file, so that none of them are kept.
 */
export async function writeCsv(lines: () => Iterable<object>, folder: string): Promise<CsvOfKind[]> {
  const columns = new Map<Kind, Set<string>>();
  for (const row of rowsOf(lines())) {
    const known = columns.get(row.kind) ?? new Set<string>();
    for (const name of row.cells.keys()) known.add(name);
    columns.set(row.kind, known);
  }
  const written: CsvOfKind[] = [];
  for (const kind of KINDS) {
    const header = columns.get(kind);
    if (header === undefined) continue;
    const name = `${kind.name}.csv`;
    const source = Readable.from(texts(lines(), kind, [...header]), { objectMode: false });
    const target = await openOwnFile(path.join(folder, name), 'anew');
    await pipeline(source, target.createWriteStream());
    written.push({ kind: kind.name, name });
  }
  return written;
}

function* rowsOf(lines: Iterable<object>): Generator<{ kind: Kind; cells: SampleRow }> {
  for (const line of lines) {
    for (const [kind, rows] of rowsOfLine(line as Record<string, unknown>)) {
      for (const cells of rows) yield { kind, cells };
    }
  }
}

function* texts(lines: Iterable<object>, kind: Kind, header: readonly string[]): Generator<string> {
  yield csvLine(header);
  for (const row of rowsOf(lines)) {
    if (row.kind === kind) yield csvLine(header.map((name) => row.cells.get(name) ?? null));
  }
}
