import { sql } from '@causeway/db';

export const PURGE_EXPIRED_ANSWERS = sql('purge-idempotency-keys', { id: 'uuid' })`
  DELETE FROM idempotency_keys
  WHERE id IN (
    SELECT id
    FROM idempotency_keys
    WHERE expires_at < ${'now'}
    ORDER BY expires_at
    LIMIT ${'limit'}
    FOR UPDATE SKIP LOCKED
  )
  RETURNING id`;
