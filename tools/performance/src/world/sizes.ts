import type { Target, World } from './world.ts';

/** How large a table and its indexes are, in MB (millions of bytes). */
export interface TableSize {
  name: string;
  /** With what is stored apart because it is long. */
  heapMb: number;
  indexesMb: number;
}

const SIZES = `
  SELECT relname AS name, pg_table_size(oid) / 1e6::float8 AS "heapMb", pg_indexes_size(oid) / 1e6::float8 AS "indexesMb"
  FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
  ORDER BY pg_total_relation_size(oid) DESC, relname`;

/** All tables, the largest first. */
export function tableSizes({ postgres }: World, { database }: Target): Promise<TableSize[]> {
  return postgres.query<TableSize & Record<string, unknown>>(database, SIZES);
}
