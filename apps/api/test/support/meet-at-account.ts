import type { Database } from '@causeway/db';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { until } from './test-service.ts';

/**
 * Makes calls that write into one account meet there: each has read what it decides on, and none has written, before
 * the first of them continues. Sent without this, one often is done before the next has begun. Calls that end without
 * reaching the account are not waited for.
 */
export async function meetAtAccount<Answer>(
  database: Database,
  accountImportId: string,
  calls: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  using client = await borrowConnection(database.pool);
  await client.query('BEGIN');
  await client.query('SELECT FROM accounts WHERE account_import_id = $1 FOR UPDATE', [accountImportId]);
  let ended = 0;
  const answers = calls.map((call) =>
    call().finally(() => {
      ended += 1;
    }),
  );
  await until(async () => ended + (await sessionsWaiting(database)) >= calls.length);
  await client.query('COMMIT');
  client.release();
  return Promise.all(answers);
}

async function sessionsWaiting({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}
