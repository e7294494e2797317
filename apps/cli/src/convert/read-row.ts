import type { Columns } from './columns.ts';
import { ACCOUNT_NUMBER, type Kind, pathOf } from './kinds.ts';
import { type CellStyle, readCell } from './read-cell.ts';
import { NeedsOption } from './reading.ts';
import { gapOfRow, valueOfRow } from './row-shape.ts';
import type { Fault } from './store.ts';

/** What a row came to. */
export interface ReadRow {
  /** Undefined where the row does not say it, or not as an account number. */
  account: string | undefined;
  value: Record<string, unknown>;
  faults: Fault[];
}

/** How the rows of one file are read. */
export interface RowReader {
  columns: Columns;
  kind: Kind;
  style: CellStyle;
  /** What is shown of a cell that is refused. */
  shown: (text: string) => string;
}

/** Thrown in place of a NeedsOption, with the column it came from. */
export class ColumnNeedsOption extends Error {
  override readonly name = 'ColumnNeedsOption';
  readonly column: string;
  readonly need: NeedsOption;

  constructor(column: string, need: NeedsOption) {
    super(need.message);
    this.column = column;
    this.need = need;
  }
}

/** Reads the cells of a row: its value, or every fault in it. Spaces alone are an empty cell. */
export function readRow(cells: readonly string[], reader: RowReader): ReadRow {
  const { columns, kind } = reader;
  const faults: Fault[] = [];
  const width = columns.list.length;
  if (cells.length !== width) {
    faults.push({
      detail: `Has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and the header has ${width}.`,
    });
  }
  const values = columns.list.map((_column, index) => readColumn(cells[index] ?? '', index, { reader, faults }));
  const gap = gapOfRow(columns.shape, values);
  const gapColumn = gap === undefined ? undefined : columns.list[gap];
  if (gapColumn !== undefined) {
    faults.push({
      column: gapColumn.header,
      path: pathOf(kind, gapColumn.header),
      detail: 'Is empty, and one behind it is not: the list would have a gap.',
    });
  }
  const account = values[columns.accountNumber];
  return {
    account: typeof account === 'string' ? account : undefined,
    value: (valueOfRow(columns.shape, values) ?? {}) as Record<string, unknown>,
    faults,
  };
}

function readColumn(text: string, index: number, { reader, faults }: { reader: RowReader; faults: Fault[] }): unknown {
  const { columns, kind, style, shown } = reader;
  const column = columns.list[index];
  if (column === undefined) return undefined;
  const { header, path, isRequired } = column;
  if (path === undefined && header !== ACCOUNT_NUMBER) return undefined;
  const place = { column: header, ...(path && { path: pathOf(kind, path.join('.').replace(/\.\d+/g, '.*')) }) };
  if (text.trim() === '' || text === style.emptyText) {
    if (isRequired) faults.push({ ...place, detail: 'Must not be empty.' });
    return undefined;
  }
  try {
    const reading = readCell(text, column, style);
    if (reading.fault === undefined) return reading.value;
    faults.push({ ...place, detail: reading.fault, shown: shown(text) });
    return undefined;
  } catch (error) {
    if (error instanceof NeedsOption) throw new ColumnNeedsOption(header, error);
    throw error;
  }
}
