import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '@causeway/book';
import { ACCOUNT_NUMBER, REJECTED_BECAUSE } from './kinds.ts';
import type { LoadedFile } from './load-file.ts';
import type { KindName } from './options.ts';
import { readRecords } from './read-records.ts';
import type { Store } from './store.ts';

/** A file of rejected rows. */
export interface RejectedFile {
  kind: KindName;
  name: string;
}

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Writes every row of the accounts that were rejected, as it stood in its file, with what is wrong with it: fixed, the
 * folder is all that another run needs. In UTF-8, with a byte order mark for spreadsheets.
 */
export async function writeRejected(
  store: Store,
  files: readonly LoadedFile[],
  folder: string,
): Promise<RejectedFile[]> {
  await mkdir(folder);
  const written: RejectedFile[] = [];
  for (const file of files) {
    const kind = file.kind.name;
    const before = written.filter((one) => one.kind === kind).length;
    const name = before === 0 ? `${kind}.csv` : `${kind}-${before + 1}.csv`;
    const rows = rejectedRows(store, file);
    const header = await rows.next();
    const first = await rows.next();
    if (header.done || first.done) continue;
    const text = (async function* () {
      yield BYTE_ORDER_MARK + header.value + first.value;
      yield* rows;
    })();
    await pipeline(Readable.from(text, { objectMode: false }), createWriteStream(path.join(folder, name)));
    written.push({ kind, name });
  }
  return written;
}

/** The header, then the rows, as lines of CSV. */
async function* rejectedRows(store: Store, file: LoadedFile): AsyncGenerator<string> {
  const isRejected = store.prepared('SELECT 1 FROM rejected WHERE account = ?');
  const faults = store.prepared('SELECT column_name, detail FROM faults WHERE file = ? AND line = ? ORDER BY rowid');
  let columns: { account: number; reason: number } | undefined;
  for await (const { line, cells } of readRecords(file, file.separator)) {
    if (columns === undefined) {
      const names = cells.map((name) => name.trim());
      columns = { account: names.indexOf(ACCOUNT_NUMBER), reason: names.indexOf(REJECTED_BECAUSE) };
      yield csvLine([...without(cells, columns.reason), REJECTED_BECAUSE], file.separator);
      continue;
    }
    const found = faults.all(file.index, line) as unknown as { column_name: string | null; detail: string }[];
    if (found.length === 0 && isRejected.get(cells[columns.account] ?? '') === undefined) continue;
    const reason = found
      .map(({ column_name: name, detail }) => (name === null ? detail : `${name}: ${detail}`))
      .join(' ');
    yield csvLine([...without(cells, columns.reason), reason], file.separator);
  }
}

const without = (cells: readonly string[], column: number) => cells.filter((_cell, index) => index !== column);
