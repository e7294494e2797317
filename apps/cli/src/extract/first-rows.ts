import { isEmpty } from './file-bytes.ts';
import { rowsOf, type Source } from './source.ts';
import type { TextRow } from './text-row.ts';

/**
 * The first rows of a source that are not blank: its header, and a few behind it.
 *
 * @throws Failure where all are blank
 */
export async function firstRowsOf(source: Source): Promise<[TextRow, ...TextRow[]]> {
  for await (const rows of rowsOf(source)) {
    const [header, ...others] = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
    if (header !== undefined) return [header, ...others.slice(0, FIRST_ROWS)];
  }
  throw isEmpty(source.name);
}

const FIRST_ROWS = 20;
