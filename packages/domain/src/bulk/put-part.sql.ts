import { sql } from '@causeway/db';

/** Parts are stored beside each other, and a start waits for them. */
export const LOCK_OPEN_JOB = sql('lock-open-bulk-job', { state: 'text', kind: 'text' })`
  SELECT state::text AS state, kind::text AS kind
  FROM bulk_jobs
  WHERE id = ${'id'}
  FOR SHARE`;

/** The lines, results and failed rows of bulk jobs, compressed: of all of them, and of one import supplier's. */
export const COUNT_STORED_BYTES = sql('count-stored-bulk-bytes', { total: 'bigint', own: 'bigint' })`
  WITH stored AS (
    SELECT import_supplier_code, (
        SELECT coalesce(sum(octet_length(body)), 0)
        FROM bulk_bodies
        WHERE job_id = job.id
      ) + (
        SELECT coalesce(sum(stored_bytes), 0)
        FROM bulk_folds
        WHERE job_id = job.id
      ) + (
        SELECT coalesce(sum(coalesce(octet_length(results), 0) + coalesce(octet_length(refused_lines), 0)), 0)
        FROM bulk_chunks
        WHERE job_id = job.id AND run = job.run AND cursor > 0 AND NOT folded
      ) AS bytes
    FROM bulk_jobs AS job
    WHERE files_removed_at IS NULL
  )
  SELECT
    coalesce(sum(bytes), 0)::bigint AS total,
    coalesce(sum(bytes) FILTER (WHERE import_supplier_code = ${'code'}), 0)::bigint AS own
  FROM stored`;

/** No row if the part is there; waits for one that is being stored. */
export const ADD_BULK_PART = sql('add-bulk-part', { number: 'integer' })`
  INSERT INTO bulk_parts (job_id, number, bytes, lines, sha256, received_at)
  VALUES (${'id'}, ${'number'}, ${'bytes'}, ${'lines'}, ${'sha'}, ${'at'})
  ON CONFLICT DO NOTHING
  RETURNING number`;

export const READ_BULK_PART = sql('read-bulk-part', {
  bytes: 'integer',
  lines: 'integer',
  sha256: 'bytea',
  received_at: 'timestamptz',
})`
  SELECT bytes, lines, sha256, received_at
  FROM bulk_parts
  WHERE job_id = ${'id'} AND number = ${'number'}`;

export const ADD_BULK_BODY = sql('add-bulk-body')`
  INSERT INTO bulk_bodies (job_id, number, lines, span, account_ids, body)
  VALUES (${'id'}, ${'number'}, ${'lines'}, ${'span'}, ${'account_ids'}::uuid[], ${'body'})`;
