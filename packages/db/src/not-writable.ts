import type pg from 'pg';

const QUERY_TIMEOUT_MS = 2_000;

const LOOK = {
  text: `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only`,
  // A connection on which nothing comes back is closed, so that the next question goes over another one.
  query_timeout: QUERY_TIMEOUT_MS,
};

/**
 * Why the database takes no writes, in words for an operator; undefined where it does. A session that does not is
 * closed: where the database is made writable again, the next question is asked over a new one.
 */
export async function notWritable({ pool }: { pool: pg.Pool }): Promise<string | undefined> {
  const client = await pool.connect();
  let usable = false;
  try {
    const { rows } = await client.query<{ standby: boolean; read_only: boolean }>(LOOK);
    const [{ standby, read_only } = { standby: false, read_only: false }] = rows;
    usable = !standby && !read_only;
    if (standby) return 'the database is a standby and takes no writes';
    return read_only ? 'the database is read-only' : undefined;
  } finally {
    client.release(!usable);
  }
}
