import { type Database, statement } from '@causeway/db';

/** Small enough that nobody waits for the locks of one statement. */
const PURGED_AT_ONCE = 1_000;

const PURGE = statement(
  'purge-idempotency-keys',
  `DELETE FROM idempotency_keys WHERE id IN (
    SELECT id FROM idempotency_keys WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ) RETURNING id`,
);

/**
 * Deletes every kept answer whose 24 hours are over. New keys remove a few old ones each; this is for when no new ones
 * come. Safe beside everything else, other instances' purges included.
 */
export async function purgeExpiredAnswers(database: Database, now: Date): Promise<void> {
  for (;;) {
    const purged = await database.query(PURGE, [now, PURGED_AT_ONCE]);
    if (purged.length < PURGED_AT_ONCE) return;
  }
}
