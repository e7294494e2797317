/** A row of a table as its file writes it; the first one is the header. */
export interface TextRow {
  /** On which it begins, from 1. */
  line: number;
  cells: readonly string[];
  /** Why its cells cannot be trusted, in a sentence. */
  fault?: string;
  /** Characters of it that are in no column, and not blank: `41-43`. */
  unread?: readonly string[];
  /** Its characters, where its columns have fixed places. */
  length?: number;
  /** It adds up or counts those above it, or ends them, and no row is below it: one cell, whatever columns there are. */
  isFooter?: true;
}

/** The rows of a table, some at a time, in their order. */
export type TextRows = AsyncIterable<readonly TextRow[]>;

/** The fault of a row of which nothing is kept. */
export const TOO_LONG = 'Is longer than 4 MiB: is this a file of rows?';
