import { KINDS, type Kind } from '../convert/kinds.ts';

/** A row of a CSV file: the text of each column. */
export type SampleRow = ReadonlyMap<string, string>;

type Fields = Record<string, unknown>;

/** What may have any JSON below: such a field is one cell, of JSON. */
const ANY_JSON = new Set(['metadata', 'additional_data', 'business']);

/** The rows of every kind that a line of a book becomes: what `convert` makes of them is the line again. */
export function rowsOfLine(line: Fields): Map<Kind, SampleRow[]> {
  const { account = {}, control } = line as { account?: Fields; control?: unknown };
  const number = String(account.external_account_number ?? line.external_account_number);
  const rows = new Map<Kind, SampleRow[]>();
  const own: Fields = line.account === undefined ? {} : { ...account, control };
  for (const kind of KINDS) {
    if (kind.field === '') continue;
    const value = (kind.isInAccount ? account : line)[kind.field];
    if (kind.isInAccount) delete own[kind.field];
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
    if (values.length > 0)
      rows.set(
        kind,
        values.map((one) => rowOf({ external_account_number: number, ...one })),
      );
  }
  const [accounts] = KINDS;
  if (accounts !== undefined && line.account !== undefined) rows.set(accounts, [rowOf(own)]);
  return rows;
}

function rowOf(value: Fields): SampleRow {
  const row = new Map<string, string>();
  for (const [name, field] of Object.entries(value)) addCells(row, name, field);
  return row;
}

function addCells(row: Map<string, string>, path: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null || ANY_JSON.has(path)) {
    row.set(path, typeof value === 'object' ? JSON.stringify(value) : String(value));
    return;
  }
  for (const [name, field] of Object.entries(value)) addCells(row, `${path}.${name}`, field);
}
