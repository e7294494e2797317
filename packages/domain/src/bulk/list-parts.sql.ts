import { sql } from '@causeway/db';

/** `limit` parts of a job after the number `after`. */
export const LIST_BULK_PARTS = sql('list-bulk-parts', {
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
