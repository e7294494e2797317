import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { quotedName } from '../extract/sql-names.ts';
import { Failure } from '../frame/failure.ts';
import { createCellReader } from '../manifest/manifest-cells.ts';
import { unreadableIn } from '../mapping/unreadable.ts';
import type { Loaded } from './load-input.ts';

/** `book.ndjson.gz` has its manifest in `book.manifest.ndjson`. */
export const manifestName = (output: string) =>
  `${output.replace(/(?:\.ndjson)?(?:\.gz|\.zst)?$/, '')}.manifest.ndjson`;

/**
 * Writes the lines of the mapping's view `manifest`, which are computed from the source's own figures.
 *
 * @returns the file; undefined where the mapping has none
 * @throws Failure where a figure of it is none
 */
export async function writeManifest({ store, manifest }: Loaded, file: string): Promise<string | undefined> {
  if (manifest === undefined) return undefined;
  const [real] = manifest.reals;
  if (real !== undefined) {
    throw new Failure('usage', `The view manifest has floating-point numbers in ${real.column}, which are not exact.`, {
      lines: ['  Add with sum_money or add_money, and keep text as text.'],
    });
  }
  const { read } = createCellReader(manifest.columns, 'The view manifest');
  const columns = manifest.columns.map((name, index) => `${quotedName(name)} AS c${index}`);
  const rows = store.database.prepare(`SELECT ${columns.join(', ')} FROM ${quotedName(manifest.table)}`).iterate();
  function* lines(): Generator<string> {
    for (const row of rows) {
      const cells = Object.values(row).map((cell) => (cell === null ? '' : String(cell)));
      const wrong = cells.findIndex((cell) => unreadableIn(cell) !== undefined);
      if (wrong !== -1) {
        const sentence = `The view manifest has a value in ${manifest?.columns[wrong]} that a function could not read.`;
        throw new Failure('usage', sentence, { lines: ['  See it with causeway map check.'] });
      }
      yield `${JSON.stringify(read(cells))}\n`;
    }
  }
  await pipeline(Readable.from(lines(), { objectMode: false }), createWriteStream(file));
  return file;
}
