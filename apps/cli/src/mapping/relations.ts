import { KIND_NAMES, viewOf } from '../convert/kind-names.ts';

/** The view from which a manifest comes. */
export const MANIFEST = 'manifest';

/** The views of a mapping that become parts of the book, and its manifest. */
export const RELATION_NAMES: readonly string[] = [...KIND_NAMES.map(viewOf), MANIFEST];

/** A view of the mapping, made into a table of the store. */
export interface Relation {
  name: string;
  table: string;
  /** Payload paths, or `json` alone. */
  columns: readonly string[];
  /** The columns that hold REALs, which SQLite has rounded, with how many. */
  reals: readonly { column: string; values: number }[];
}

/** What a mapping came to. */
export interface MappingResult {
  relations: readonly Relation[];
  /** The columns of source tables that its relations and temporary tables are made from. */
  reads: readonly { table: string; column: string }[];
  /** How many different values its functions could not read. They are in the table `_unreadable`. */
  unreadable: number;
}
