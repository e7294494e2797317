import type { Database } from '@causeway/db';
import { FIND_OLD_EVENTS, REMOVE_OLD_EVENTS, SET_EVENT_RECORDING } from './remove-events.sql.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Removes the events that happened `days` ago or earlier, in batches (behaviour 27.3). The newest of those of each
 * organisation stays: a reader's cursor names the last event that it has, and is good as long as that one is there. Safe
 * to run concurrently with everything else, including other instances' removals.
 */
export async function removeOldEvents(database: Database, now: Date, days: number): Promise<void> {
  const until = new Date(now.getTime() - days * DAY_MS);
  for (const { id: organisation_id } of await database.query(FIND_OLD_EVENTS, { until })) {
    while ((await database.query(REMOVE_OLD_EVENTS, { organisation_id, until })).length > 0);
  }
}

/** Sets whether events are recorded, for all instances (behaviour 27.3). */
export async function setEventRecording(database: Database, isRecorded: boolean): Promise<void> {
  await database.query(SET_EVENT_RECORDING, { is_recorded: isRecorded });
}
