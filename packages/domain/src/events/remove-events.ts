import { type Database, rawSql, sql } from '@causeway/db';

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

/** Small enough that the statement ends long before its time-out. */
const REMOVED_AT_ONCE = rawSql('5000');

/** Those whose first event is old. */
const FIND_OLD_EVENTS = sql('find-old-events', { id: 'uuid' })`
  SELECT organisation.id
  FROM organisations AS organisation
  CROSS JOIN LATERAL (
    SELECT occurred_at
    FROM events
    WHERE organisation_id = organisation.id
    ORDER BY id
    LIMIT 1
  ) AS first
  WHERE first.occurred_at <= ${'until'}
  ORDER BY organisation.id`;

/** The oldest of an organisation in front of the first one that is kept, except for the newest of them. */
const REMOVE_OLD_EVENTS = sql('remove-old-events', { id: 'bigint' })`
  WITH oldest AS MATERIALIZED (
    SELECT id, occurred_at
    FROM events_between(${'organisation_id'}, -9223372036854775808, 9223372036854775807, ${REMOVED_AT_ONCE})
  ),
  newest AS MATERIALIZED (
    SELECT max(id) AS id
    FROM oldest
    WHERE id < ALL (SELECT id FROM oldest WHERE occurred_at > ${'until'})
  )
  DELETE FROM events
  WHERE organisation_id = ${'organisation_id'}
    AND id < (SELECT id FROM newest)
  RETURNING id`;

/** Whether events are recorded from now on, on every instance. */
const SET_EVENT_RECORDING = sql('set-event-recording')`
  UPDATE event_settings
  SET is_recorded = ${'is_recorded'}
  WHERE is_recorded <> ${'is_recorded'}`;
