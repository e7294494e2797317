import type pg from 'pg';
import { connectClient } from '../connect-client.ts';

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
