import { Failure } from '../frame/failure.ts';
import { VALUES } from './find-header.ts';

/** Where a row came from, and why its cells cannot be trusted; null: they can. */
export const OWN_COLUMNS = ['_file', '_line', '_fault'] as const;
/** Those, and what `convert` adds. */
const RESERVED = [...OWN_COLUMNS, '_account'];

const MAX_COLUMNS = 1_900;

/** @throws Failure where a first row holds values: they would be shown, as the names of columns are */
export function refuseNoHeader(header: readonly string[], file: string): void {
  const column = header.findIndex((text) => VALUES.some((form) => form.test(text.trim()))) + 1;
  if (column === 0) return;
  const sentence = `${file} seems to have no header: column ${column} of its first row holds a value, not a name.`;
  throw new Failure('usage', sentence, { lines: ['  Write the names of the columns above the first row.'] });
}

/**
 * The names that the columns of a table have.
 *
 * @throws Failure where two are equal but for case, as SQL sees them, or there are too many
 */
export function columnNames(header: readonly string[], name: string): string[] {
  if (header.length > MAX_COLUMNS) {
    throw new Failure(
      'usage',
      `${name} has ${header.length} columns: ${MAX_COLUMNS} are the most. Is its separator right?`,
    );
  }
  refuseNoHeader(header, name);
  const known = new Map<string, string>(RESERVED.map((column) => [column, column]));
  return header.map((text, index) => {
    const column = text.trim().replaceAll('\0', '') || `column_${index + 1}`;
    const other = known.get(column.toLowerCase());
    if (other !== undefined) throw new Failure('usage', collision(name, column, other));
    known.set(column.toLowerCase(), column);
    return column;
  });
}

function collision(file: string, column: string, other: string): string {
  if (column === other) return `${file} has the column ${column} twice.`;
  return `${file} has the columns ${other} and ${column}, which differ in case alone. Rename one of them.`;
}
