import type { KindName } from '../convert/kind-names.ts';
import type { Key } from './fields.ts';
import type { JudgedValues } from './judge-column.ts';

/** What is known of a column of a file. */
export interface ColumnFacts extends JudgedValues {
  name: string;
  /** How many rows have a value, and how many different ones there are. */
  filled: number;
  distinct: number;
}

/** What is known of a file, from so many of its rows. */
export interface TableFacts {
  name: string;
  rows: number;
  columns: readonly ColumnFacts[];
}

/** A column of a view: a field, and what fills it. */
export interface DraftColumn {
  path: string;
  sql: string;
  /** The column of the file; undefined: a constant, or another file's. */
  column?: string;
  /** The file of the column, where it is not that of the rows. */
  from?: string;
  /** Why, in words. */
  says: string;
}

/** A column of a file that only its owner can place. */
export interface OpenColumn {
  column: string;
  says: string;
  /** Fields, or expressions, that it may be. */
  candidates: readonly string[];
}

/** The rows of one file, as a kind. */
export interface DraftPart {
  kind: KindName;
  table: string;
  columns: DraftColumn[];
  /** Rows of the file are one row of the kind where these columns agree. */
  isDistinct: boolean;
  /** Other files that know more of the rows, each a line of SQL. */
  joins: string[];
  /** Why it cannot be used as it stands. */
  lacks?: string;
}

/** What was decided of one file by itself: whose its rows are is decided with the others. */
export interface DecidedTable {
  table: TableFacts;
  parts: DraftPart[];
  open: OpenColumn[];
  /** The columns that are keys by their names, with what their values are. */
  keys: ReadonlyMap<Key, ColumnFacts>;
}

/** What `map` proposes, and leaves open. */
export interface Draft {
  parts: readonly DraftPart[];
  open: ReadonlyMap<string, readonly OpenColumn[]>;
}
