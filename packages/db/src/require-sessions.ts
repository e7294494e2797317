import type pg from 'pg';
import { connectClient } from './connect-client.ts';

const QUERY_TIMEOUT_MS = 10_000;
/** One round shows it, unless other clients of the pooler take and release connections at that time. */
const LOOKS = 10;

const REFUSAL =
  'DATABASE_URL leads to a connection pooler that lends a connection for one transaction or statement at a time. ' +
  'Causeway needs sessions of its own: set pool_mode = session for its database (PgBouncer), or use the address of ' +
  'PostgreSQL itself.';

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

/**
 * Whether each of two connections keeps its own server process. They query alternately, so that a pooler would mix them
 * up.
 */
async function keepApart(first: pg.Client, second: pg.Client): Promise<boolean> {
  const [one, two] = [await backendOf(first), await backendOf(second)];
  for (let looks = 0; looks < LOOKS; looks += 1) {
    // The second one queries twice: two server connections lent alternately would look like one each.
    const seen = [await backendOf(second), await backendOf(second), await backendOf(first)];
    if (one === two || seen.some((pid, index) => pid !== (index < 2 ? two : one))) return false;
  }
  return true;
}

/**
 * Makes sure that a connection is a session. Timeouts, the time zone and prepared statements belong to a session, and
 * change silently if a pooler in transaction mode (PgBouncer) switches sessions beneath a connection.
 *
 * @throws with the remedy if it is not, and if the database cannot be reached
 */
export async function requireSessions(url: string): Promise<void> {
  const connect = () => connectClient(url, { application_name: 'causeway-start', query_timeout: QUERY_TIMEOUT_MS });
  const first = await connect();
  try {
    // A server sends its process id on connection; a pooler sends another number. pg's types lack the field.
    const { processID } = first as pg.Client & { processID?: number };
    if ((await backendOf(first)) === processID) return;
    const second = await connect();
    try {
      if (!(await keepApart(first, second))) throw new Error(REFUSAL);
    } finally {
      await second.end().catch(() => undefined);
    }
  } finally {
    await first.end().catch(() => undefined);
  }
}
