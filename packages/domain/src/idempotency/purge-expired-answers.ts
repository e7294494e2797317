import type { Database } from '@causeway/db';
import { PURGE_EXPIRED_ANSWERS } from './purge-expired-answers.sql.ts';

/** Small enough that nobody waits for the locks of one statement. */
const PURGED_AT_ONCE = 1_000;

/**
 * Deletes every kept answer whose 24 hours are over. New keys remove a few old ones each; this is for when no new ones
 * come. Safe beside everything else, other instances' purges included.
 */
export async function purgeExpiredAnswers(database: Database, now: Date): Promise<void> {
  for (;;) {
    const purged = await database.query(PURGE_EXPIRED_ANSWERS, { now, limit: PURGED_AT_ONCE });
    if (purged.length < PURGED_AT_ONCE) return;
  }
}
