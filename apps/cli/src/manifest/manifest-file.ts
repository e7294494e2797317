import { createHash, hash } from 'node:crypto';
import path from 'node:path';
import type { ManifestTotals } from '@causeway/contracts';
import { STANDARD_INPUT } from '../book-files/book.ts';
import { decoded } from '../extract/encodings.ts';
import { bytesOf } from '../extract/file-bytes.ts';
import { openSources, rowsOf, type Source } from '../extract/source.ts';
import { textLines } from '../extract/text-lines.ts';
import { TOO_LONG } from '../extract/text-row.ts';
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

/** A manifest file as a command names it. */
export interface ManifestFile {
  file: string;
  /** What the flag says of its encoding. */
  encoding?: string | undefined;
}

type TellHead = (found: ManifestHead) => void;

/**
 * The lines of a manifest, NDJSON or a table in any form that `convert` reads, packed or not, a few at a time; `head` is
 * told of the line that has the totals. A row of a table comes as the line that it stands for. Ends early once `stop` is
 * aborted.
 *
 * @throws Failure where it cannot be read, or has a row that cannot
 */
export async function* readRows(
  { file, encoding }: ManifestFile,
  { directory, stop }: Pick<Context, 'directory' | 'stop'>,
  head: TellHead = () => undefined,
): AsyncGenerator<ManifestRow[]> {
  if (file === STANDARD_INPUT) throw new Failure('usage', 'A manifest is read more than once: name a file.');
  const [source, another] = await openSources(
    { name: file, path: path.resolve(directory, file) },
    { ...UNSAID, encoding, flagOf: (flag) => `--${flag} ` },
  );
  if (source === undefined || another !== undefined) {
    throw new Failure('usage', `${file} has several sheets. Save the one with the manifest as CSV UTF-8.`);
  }
  for await (const rows of source.form.type === 'json' ? linesOf(source, head) : rowsOfTable(source, head)) {
    if (stop.aborted) return;
    if (rows.length > 0) yield rows;
  }
}

const UNSAID = {
  separator: undefined,
  fixedWidth: undefined,
  sheet: undefined,
  headerLine: 'first',
  quotes: undefined,
  showsValues: false,
};

async function* linesOf(source: Source, head: TellHead): AsyncGenerator<ManifestRow[]> {
  const { name, form } = source;
  if (form.type === 'json' && form.items === 'array') {
    throw new Failure('usage', `${name} is one JSON document: a manifest is NDJSON, an account a line.`, {
      lines: ["  jq makes it so: jq -c '.[]' FILE > manifest.ndjson"],
    });
  }
  for await (const lines of textLines(decoded(bytesOf(source), source.encodings))) {
    yield lines.flatMap(({ number, text, isTooLong }) => {
      if (isTooLong) throw new Failure('usage', `${name}, line ${number}: ${TOO_LONG}`);
      const found = headOf(text);
      if (found !== undefined) head(found);
      return found !== undefined || text.trim() === '' ? [] : [{ number, bytes: Buffer.from(text) }];
    });
  }
}

async function* rowsOfTable(source: Source, head: TellHead): AsyncGenerator<ManifestRow[]> {
  const headLines = await tellHeadOfTable(source, head);
  let reader: ReturnType<typeof createCellReader> | undefined;
  for await (const some of rowsOf(source)) {
    const rows: ManifestRow[] = [];
    for (const { line, cells, fault } of some) {
      if (headLines.has(line) || (cells.join('').trim() === '' && fault === undefined)) continue;
      if (fault !== undefined) throw new Failure('usage', `${source.name}, line ${line}: ${fault}`);
      if (reader === undefined) reader = createCellReader(cells, source.name);
      else rows.push({ number: line, bytes: Buffer.from(JSON.stringify(reader.read(cells))) });
    }
    yield rows;
  }
}

/** The lines of a table that are none of its rows, but have the totals. */
async function tellHeadOfTable(source: Source, head: TellHead): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  if (source.form.type === 'workbook') return found;
  for await (const lines of textLines(decoded(bytesOf(source), source.encodings))) {
    for (const { number, text } of lines) {
      const told = headOf(text);
      if (told === undefined) continue;
      found.add(number);
      head(told);
    }
  }
  return found;
}

/** Undefined of a line about an account, and of what is no JSON, which is refused as one. */
function headOf(text: string): ManifestHead | undefined {
  if (!text.includes('"totals"')) return undefined;
  try {
    const parsed = JSON.parse(text);
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
