import { visible } from './visible.ts';

const GAP = '  ';

/**
 * Rows as lines whose columns stand below each other, each as wide as its widest cell: nothing is cut, and nothing in a
 * cell moves the cursor. Those in `right`, by their index, end below each other, as numbers do.
 */
export function tableLines(cells: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const rows = cells.map((row) => row.map(visible));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) => {
    const padded = row.map((cell, index) => {
      const space = ' '.repeat((widths[index] ?? 0) - cell.length);
      return right.includes(index) ? `${space}${cell}` : `${cell}${space}`;
    });
    return padded.join(GAP).trimEnd();
  });
}
