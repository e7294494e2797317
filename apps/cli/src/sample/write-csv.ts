import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '@causeway/book';
import { KINDS, type Kind } from '../convert/kinds.ts';
import { openOwnFile } from '../frame/own-file.ts';
import { rowsOfLine, type SampleRow } from './rows-of-line.ts';

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
