import { sql } from '@causeway/db';

/** Parts are stored beside each other, and a start waits for them. */
export const LOCK_OPEN_JOB = sql('lock-open-bulk-job', { state: 'text', kind: 'text' })`
  SELECT state::text AS state, kind::text AS kind
  FROM bulk_jobs
  WHERE id = ${'id'}
  FOR SHARE`;

/** Compressed. */
export const COUNT_STORED_BYTES = sql('count-stored-bulk-bytes', { bytes: 'bigint' })`
  SELECT coalesce(sum(octet_length(body)), 0)::bigint AS bytes
  FROM bulk_bodies`;

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
