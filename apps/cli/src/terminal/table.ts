import { stripVTControlCharacters } from 'node:util';

const GAP = '  ';

/**
 * Rows as lines whose columns stand below each other, each as wide as its widest cell; nothing is cut. Those in `right`,
 * by their index, end below each other, as numbers do.
 */
export function tableLines(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
  }
  return rows.map((row) => {
    const cells = row.map((cell, index) => {
      const space = ' '.repeat((widths[index] ?? 0) - widthOf(cell));
      return right.includes(index) ? `${space}${cell}` : `${cell}${space}`;
    });
    return cells.join(GAP).trimEnd();
  });
}

const widthOf = (cell: string) => stripVTControlCharacters(cell).length;
