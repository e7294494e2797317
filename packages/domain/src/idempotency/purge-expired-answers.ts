import { type Database, sql } from '@causeway/db';

/** Small enough that no other call waits noticeably for the locks of one statement. */
const PURGED_AT_ONCE = 1_000;

/**
 * Deletes every kept answer after its 24 hours. Each new key removes a few old ones; this covers times without new
 * keys. Safe to run concurrently with everything else, including other instances' purges.
 */
export async function purgeExpiredAnswers(database: Database, now: Date): Promise<void> {
  for (;;) {
    const purged = await database.query(PURGE_EXPIRED_ANSWERS, { now, limit: PURGED_AT_ONCE });
    if (purged.length < PURGED_AT_ONCE) return;
  }
}

const PURGE_EXPIRED_ANSWERS = sql('purge-idempotency-keys', { id: 'uuid' })`
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
