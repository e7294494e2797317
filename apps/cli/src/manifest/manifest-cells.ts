import { ManifestLine, TransactionType } from '@causeway/contracts';
import { Failure } from '../frame/failure.ts';

const COUNTS = ['notes', 'transactions', 'statements'];

/** Makes the lines of a manifest from the rows of a table. */
export interface CellReader {
  read(cells: readonly string[]): object;
}

/**
 * Reads the rows below a header such as `external_account_number,transfer_balance,by_type.CHARGE.amount`. An empty cell
 * claims nothing. Throws a Failure for a column that is no figure.
 */
export function createCellReader(header: readonly string[], name: string): CellReader {
  const columns = header.map((column) => column.trim());
  const known = [
    ...Object.keys(ManifestLine.shape).filter((field) => field !== 'by_type'),
    ...TransactionType.options.flatMap((type) => [`by_type.${type}.count`, `by_type.${type}.amount`]),
  ];
  const unknown = columns.filter((column) => !known.includes(column));
  if (unknown.length > 0) {
    throw new Failure('usage', `${name}: ${unknown.map((one) => `“${one}”`).join(', ')} is no field of a manifest.`, {
      lines: [`  The header has some of: ${known.join(', ')}`],
    });
  }
  return {
    read(cells) {
      const line: Record<string, unknown> = {};
      // A cell too many would be claimed of nothing: the reader of lines names it.
      for (const [index, cell] of cells.entries()) {
        if (cell !== '') place(line, columns[index] ?? `column ${index + 1}`, cell);
      }
      return line;
    },
  };
}

function place(line: Record<string, unknown>, column: string, cell: string): void {
  const [figure = '', type, part] = column.split('.');
  if (type === undefined || part === undefined) {
    line[figure] = claimOf(figure, cell);
    return;
  }
  const types = { ...(line.by_type as Record<string, object> | undefined) };
  types[type] = { ...types[type], [part]: part === 'count' ? countOf(cell) : cell };
  line.by_type = types;
}

function claimOf(figure: string, cell: string): unknown {
  if (COUNTS.includes(figure)) return countOf(cell);
  if (figure === 'payment_instruction' && /^(?:true|false)$/.test(cell)) return cell === 'true';
  return cell;
}

/** What is no count is refused as it stands. */
const countOf = (cell: string) => (/^[0-9]{1,15}$/.test(cell) ? Number(cell) : cell);
