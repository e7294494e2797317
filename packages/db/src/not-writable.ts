import type pg from 'pg';

const QUERY_TIMEOUT_MS = 2_000;
/** A standby that restarts is away for less. */
const COMMIT_PATIENCE_S = 5;

interface Seen {
  standby: boolean;
  read_only: boolean;
  waiting: boolean;
}

// A role without further rights sees what its own sessions wait for, and not which standbys there are.
const LOOK = {
  text: `
    SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only,
      EXISTS (
        SELECT FROM pg_stat_activity
        WHERE usename = session_user AND wait_event = 'SyncRep'
          AND query_start < clock_timestamp() - interval '${COMMIT_PATIENCE_S} seconds'
      ) AS waiting`,
  // A connection without an answer is closed, so that the next query uses another one.
  query_timeout: QUERY_TIMEOUT_MS,
};

/**
 * Why the database accepts no writes, in a sentence for an operator; undefined if it does. A session that does not is
 * closed: once the database is writable again, the next query uses a new one.
 */
export async function notWritable({ pool }: { pool: pg.Pool }): Promise<string | undefined> {
  const client = await pool.connect();
  let usable = false;
  try {
    const { rows } = await client.query<Seen>(LOOK);
    const { standby = false, read_only = false, waiting = false } = rows[0] ?? {};
    usable = !standby && !read_only;
    if (standby) return 'the database is a standby and takes no writes';
    if (read_only) return 'the database is read-only';
    return waiting ? `commits wait for a synchronous standby for more than ${COMMIT_PATIENCE_S} seconds` : undefined;
  } finally {
    client.release(!usable);
  }
}
