import { type Database, statement } from '@causeway/db';

/** Small enough that nobody waits for the locks of one statement. */
const REMOVED_AT_ONCE = 500;
const DAY_MS = 24 * 60 * 60 * 1_000;

const REMOVE = statement(
  'remove-staged-payloads',
  `UPDATE account_imports SET payload = NULL, payload_removed_at = $1
  WHERE id IN (
    SELECT id FROM account_imports
    WHERE completed_at <= $2 AND completed_at IS NOT NULL AND payload IS NOT NULL
    ORDER BY completed_at LIMIT $3 FOR UPDATE SKIP LOCKED
  ) RETURNING id`,
);

/**
 * Removes the staged payload of every account that was created `retentionDays` ago or earlier: the account has the data,
 * and the payload was only kept to look into. Safe beside everything else, other instances' removals included.
 */
export async function removeStagedPayloads(database: Database, now: Date, retentionDays: number): Promise<void> {
  const completedUntil = new Date(now.getTime() - retentionDays * DAY_MS);
  for (;;) {
    const removed = await database.query(REMOVE, [now, completedUntil, REMOVED_AT_ONCE]);
    if (removed.length < REMOVED_AT_ONCE) return;
  }
}
