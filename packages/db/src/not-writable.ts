import type pg from 'pg';

const QUERY_TIMEOUT_MS = 2_000;

const LOOK = {
  text: `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only`,
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
    const { rows } = await client.query<{ standby: boolean; read_only: boolean }>(LOOK);
    const [{ standby, read_only } = { standby: false, read_only: false }] = rows;
    usable = !standby && !read_only;
    if (standby) return 'the database is a standby and takes no writes';
    return read_only ? 'the database is read-only' : undefined;
  } finally {
    client.release(!usable);
  }
}
