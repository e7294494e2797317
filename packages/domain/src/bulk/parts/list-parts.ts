import { type BulkJobPartsRequest, LIMITS, type StoredBulkPart } from '@causeway/contracts';
import { type Queryable, type RowOf, rawSql, sql } from '@causeway/db';
import type { Context } from '../../shared/context.ts';
import { withUtcDatetimes } from '../../shared/dates.ts';
import { cutPage, pageSize } from '../../shared/list-page.ts';
import { findBulkJob } from '../jobs/find-bulk-job.ts';

/**
 * One page of the parts of a job that are stored, with the digest of their bytes, in the order of their numbers
 * (behaviour 21.4.10): `limit` (default 1,000) after the number `after`. Refuses with `bulk_job_does_not_exist`.
 */
export async function listBulkParts(
  context: Context,
  request: BulkJobPartsRequest,
): Promise<{ records: StoredBulkPart[]; next?: { after: number } }> {
  const { id } = await findBulkJob(context, request.job_id);
  const limit = pageSize(request);
  const rows = await context.database.query(LIST_BULK_PARTS, { id, after: request.after ?? 0, limit: limit + 1 });
  const parts = rows.map(({ sha256, ...part }) => ({
    ...withUtcDatetimes(part),
    content_digest: `sha-256=:${sha256.toString('base64')}:`,
  }));
  return cutPage(parts, limit, ({ number }) => ({ after: number }));
}

/** `limit` parts of a job after the number `after`. */
const LIST_BULK_PARTS = sql('list-bulk-parts', {
  number: 'integer',
  bytes: 'integer',
  lines: 'integer',
  sha256: 'bytea',
  received_at: 'timestamptz',
})`
  SELECT number, bytes, lines, sha256, received_at
  FROM bulk_parts
  WHERE job_id = ${'id'} AND number > ${'after'}
  ORDER BY number
  LIMIT ${'limit'}`;

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
