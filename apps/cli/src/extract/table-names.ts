import path from 'node:path';
import { Failure } from '../frame/failure.ts';
import type { Source } from './source.ts';

/**
 * The tables' names: those of the files, without what says how they are written. `CUSTOMERS_2026.csv.gz` becomes
 * `customers_2026`, and the sheet `May` of `book.xlsx` becomes `book_may`, as a kind of record does.
 *
 * @throws Failure where two files would be one table
 */
export function tableNames(sources: readonly Source[]): string[] {
  const names = new Map<string, Source>();
  return sources.map((source) => {
    const name = tableName(source);
    const other = names.get(name);
    if (other !== undefined) {
      throw new Failure(
        'usage',
        `${other.name} and ${source.name} would both be the table ${name}. Rename one of them.`,
      );
    }
    names.set(name, source);
    return name;
  });
}

function tableName({ path: file, sheet }: Source): string {
  const stem = path
    .basename(file)
    .replace(/\.(?:gz|zst)$/i, '')
    .replace(/\.\w+$/, '');
  const whole = sheet === undefined ? stem : `${stem}_${sheet}`;
  const name = whole
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
  return /^\p{L}/u.test(name) ? name : `file_${name}`;
}
