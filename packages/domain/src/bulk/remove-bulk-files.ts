import type { Database } from '@causeway/db';
import {
  CANCEL_EXPIRED_JOBS,
  FILES_ARE_REMOVED,
  FIND_EXPIRED_JOBS,
  REMOVE_BULK_BODIES,
  REMOVE_BULK_RESULTS,
} from './remove-bulk-files.sql.ts';

/** Longer than any chunk takes. */
const SETTLED_MS = 5 * 60_000;

/**
 * Removes the lines, results and failed rows of jobs whose files have expired, in batches (behaviour 21.5.8); the jobs,
 * their counts, sums and problems stay. A job that nobody has started or
 * resumed by then is cancelled. Safe to run concurrently
 * with everything else, including other instances' removals.
 */
export async function removeBulkFiles(database: Database, now: Date): Promise<void> {
  await database.query(CANCEL_EXPIRED_JOBS, { now });
  const ended_until = new Date(now.getTime() - SETTLED_MS);
  for (const { id } of await database.query(FIND_EXPIRED_JOBS, { now, ended_until })) {
    for (const statement of [REMOVE_BULK_BODIES, REMOVE_BULK_RESULTS]) {
      while ((await database.query(statement, { id })).length > 0);
    }
    await database.query(FILES_ARE_REMOVED, { id, now });
  }
}
