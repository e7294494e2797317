import type { Queryable, RowOf } from '@causeway/db';
import { COUNT_BULK_PARTS } from './bulk-parts.sql.ts';

/** The parts of a job that were received. */
export type Received = RowOf<typeof COUNT_BULK_PARTS>;

export async function receivedOf(database: Queryable, id: string): Promise<Received> {
  const [received = { parts: 0, lines: 0, missing: [] }] = await database.query(COUNT_BULK_PARTS, { id });
  return received;
}
