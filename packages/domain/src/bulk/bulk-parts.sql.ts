import { LIMITS } from '@causeway/contracts';
import { rawSql, sql } from '@causeway/db';

/** The parts of a job that were received, and the first of those that are missing below the highest one. */
export const COUNT_BULK_PARTS = sql('count-bulk-parts', {
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
