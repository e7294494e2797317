import { isUtf8 } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import type { ManifestTotals } from '@causeway/contracts';
import { STANDARD_INPUT } from '../book-files/book.ts';
import { AS_UTF8, notUtf8 } from '../book-files/not-utf8.ts';
import { openBook } from '../book-files/open-book.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { createCellReader } from './manifest-cells.ts';

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
