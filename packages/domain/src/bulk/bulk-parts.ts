import { LIMITS } from '@causeway/contracts';
import { type Queryable, type RowOf, rawSql, sql } from '@causeway/db';

/** The parts of a job that were received. */
export type Received = RowOf<typeof COUNT_BULK_PARTS>;

export async function receivedOf(database: Queryable, id: string): Promise<Received> {
  const [received = { parts: 0, lines: 0, missing: [] }] = await database.query(COUNT_BULK_PARTS, { id });
  return received;
}

/** The parts of a job that were received, and the first of those that are missing below the highest one. */
const COUNT_BULK_PARTS = sql('count-bulk-parts', {
  parts: 'integer',
  lines: 'integer',
  missing: 'integer[]',
})`
  WITH part AS (
    SELECT number, lines
    FROM bulk_parts
    WHERE job_id = ${'id'}
  )
  SELECT
    (SELECT count(*)::integer FROM part) AS parts,
    (SELECT coalesce(sum(lines), 0)::integer FROM part) AS lines,
    ARRAY(
      SELECT number
      FROM generate_series(1, (SELECT nullif(max(number), count(*)) FROM part)) AS number
      WHERE number NOT IN (SELECT number FROM part)
      ORDER BY number
      LIMIT ${rawSql(String(LIMITS.bulk_missing_parts))}
    ) AS missing`;
