import { type Database, fragment, isCheckViolation, sql } from '@causeway/db';
import { digestOfPayload } from '../shared/conditions.sql.ts';

/** Small enough that no other call waits noticeably for the locks of one statement. */
const REMOVED_AT_ONCE = 500;
const DAY_MS = 24 * 60 * 60 * 1_000;

interface Found {
  id: string;
  completed_at: Date | '-infinity' | null;
}

const BEFORE_ALL: Found = { id: '00000000-0000-0000-0000-000000000000', completed_at: '-infinity' };

/**
 * Removes the staged payload of every account that was created `retentionDays` ago or earlier: the account has the
 * data, and the payload was kept only for investigation. A digest stays, to know a line that was moved before. Safe to
 * run concurrently with everything else, including other instances' removals: locked rows are skipped.
 *
 * @returns the account imports whose payload stays: old rows that violate a constraint and cannot be changed until they
 *   are corrected
 */
export async function removeStagedPayloads(database: Database, now: Date, retentionDays: number): Promise<string[]> {
  const completedUntil = new Date(now.getTime() - retentionDays * DAY_MS);
  const broken: string[] = [];
  for (let last = BEFORE_ALL; ; ) {
    const found: Found[] = await database.query(FIND_STAGED_PAYLOADS, {
      completed_until: completedUntil,
      last_completed_at: last.completed_at,
      last_id: last.id,
      limit: REMOVED_AT_ONCE,
    });
    const newest = found.at(-1);
    if (newest === undefined) {
      return broken;
    }
    broken.push(...(await remove(database, now, found)));
    last = newest;
  }
}

/** The payloads that could not be removed: one such row fails all others in its statement. */
async function remove(database: Database, now: Date, found: Found[]): Promise<string[]> {
  const ids = found.map(({ id }) => id);
  try {
    await database.query(REMOVE_STAGED_PAYLOADS, { now, ids });
    return [];
  } catch (error) {
    if (!isCheckViolation(error)) {
      throw error;
    }
    if (ids.length === 1) {
      return ids;
    }
    const half = Math.ceil(found.length / 2);
    return [
      ...(await remove(database, now, found.slice(0, half))),
      ...(await remove(database, now, found.slice(half))),
    ];
  }
}

/** The next ones after the last one found. */
const FIND_STAGED_PAYLOADS = sql('find-staged-payloads', { id: 'uuid', completed_at: 'timestamptz | null' })`
  SELECT id, completed_at
  FROM account_imports
  WHERE completed_at <= ${'completed_until'}
    AND (completed_at, id) > (${'last_completed_at'}, ${'last_id'})
    AND completed_at IS NOT NULL
    AND payload IS NOT NULL
  ORDER BY completed_at, id
  LIMIT ${'limit'}`;

const REMOVE_STAGED_PAYLOADS = sql('remove-staged-payloads')`
  UPDATE account_imports
  SET payload = NULL, payload_removed_at = ${'now'}, payload_digest = ${digestOfPayload(fragment`payload`)}
  WHERE id IN (
    SELECT id
    FROM account_imports
    WHERE id = ANY (${'ids'}) AND payload IS NOT NULL
    FOR UPDATE SKIP LOCKED
  )`;
