import { quotedName } from '../extract/sql-names.ts';
import type { Columns } from './columns.ts';
import { ACCOUNT_NUMBER, type Kind } from './kinds.ts';
import type { CellStyle } from './read-cell.ts';

/** A table in the store whose rows are of one kind; like every table of text, it has `_file`, `_line` and `_fault`. */
export interface Relation {
  kind: Kind;
  table: string;
  /** Where its rows came from, unless they say it themselves. */
  file: string;
  columns: Columns;
  /** Its cells come from SQL, which may have computed them. */
  isMapped?: boolean;
  /** How each column writes its values. */
  styles: readonly CellStyle[];
}

/** A relation before it is known how its columns are written. */
export type UnreadRelation = Omit<Relation, 'styles'>;

/** What stands before a number that SQLite has computed: no text of a file begins with it. */
export const COMPUTED = '\u{FFFF}computed ';

/** What stands for a cell that is no text. */
export const BLOB = '\u{FFFF}blob';

/** A row of a relation, its cells in the order of the columns. */
export interface Row {
  relation: Relation;
  file: string;
  /** Undefined: nobody knows. */
  line: number | undefined;
  /** That it names; empty if it names none that can be read. */
  account: string;
  cells: readonly string[];
  /** Why its cells cannot be trusted. */
  fault: string | undefined;
}

/** A text without spaces around it, in SQL. */
export const trimmed = (sql: string) => `trim(${sql}, ' \t\r\n\u00A0')`;

/** The account number of a row without spaces around it, in SQL. */
export function accountIn({ columns }: Pick<Relation, 'columns'>): string {
  const column = columns.list.find(({ key }) => key === ACCOUNT_NUMBER)?.header ?? ACCOUNT_NUMBER;
  const whole = quotedName(columns.list.find(({ path }) => path !== undefined)?.header ?? '');
  const number = columns.isWhole
    ? `CASE WHEN json_valid(${whole}) THEN ${whole} ->> '$.${ACCOUNT_NUMBER}' ELSE '' END`
    : quotedName(column);
  return trimmed(`coalesce(${number}, '')`);
}

/** How a row is told of. */
export const placeOf = ({ file, line }: Row) => (line === undefined ? file : `${file} line ${line}`);
