import type pg from 'pg';
import { connectClient } from '../connect-client.ts';
import { requireSessions } from '../pooler.ts';

/**
 * Runs `work` on a connection of its own, in UTC and without the limits of the service's sessions.
 *
 * @throws if the database cannot be reached, with the reason
 */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectClient(url, { application_name: 'causeway-migrate' });
  try {
    await client.query(`SET TimeZone = 'UTC'`);
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

// Those that a role may have for the service behind a pooler.
const LIFT_LIMITS = `
  SELECT set_config(name, '0', false) FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/**
 * Before the schema is changed on a connection: makes sure that it has a session of its own, and lifts its limits.
 *
 * @throws with the remedy if a pooler lends it sessions
 */
export async function beginChanges(url: string, client: pg.Client): Promise<void> {
  await requireSessions(url);
  await client.query(LIFT_LIMITS);
}
