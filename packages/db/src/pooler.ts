import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectClient } from './connect-client.ts';
import { type SessionLimits, sessionSettings } from './session-settings.ts';

/** What lies between a connection and its session on the server. */
export interface Pooling {
  /** A connection has a session of its own, as without a pooler: it keeps what it sets and locks. */
  keepsSessions: boolean;
  /** A statement that a connection has prepared is there later, whichever session it is lent. */
  keepsStatements: boolean;
}

const QUERY_TIMEOUT_MS = 10_000;
/** One round shows it, unless other clients of the pooler take and release connections at that time. */
const LOOKS = 10;
const OWN_SESSION: Pooling = { keepsSessions: true, keepsStatements: true };

const LENDS_STATEMENTS =
  'DATABASE_URL leads to a connection pooler that lends a connection for one statement at a time. Causeway needs ' +
  'transactions: set pool_mode = transaction or session for its database (PgBouncer).';
const LENDS_TRANSACTIONS =
  'The database has to be migrated, and its URL leads to a connection pooler that lends a connection for one ' +
  'transaction at a time: set DATABASE_OWNER_URL to the address of PostgreSQL itself.';

// What the sessions begin with, whatever another client has set in the one that is looked at. Without forced plans, which a
// role that was set up before lacks, they are only slower at first.
const LACKED = `
  SELECT string_agg(
    format('ALTER ROLE %I IN DATABASE %I SET %I = %L;', session_user, current_database(), known.name, wanted.value), ' '
  ) AS remedy
  FROM unnest($1::text[], $2::text[]) AS wanted (name, value) JOIN pg_settings known ON known.name = wanted.name
  WHERE known.reset_val <> wanted.value AND known.name <> 'plan_cache_mode'`;

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
 * A pooler that keeps the statements of its clients gives them names of its own, since two clients may use one name for
 * different texts. So one that has kept the name passes statements through: they are lost with the session.
 */
async function keepsStatements(client: pg.Client): Promise<boolean> {
  const name = `causeway_start_${randomUUID()}`;
  const text = 'SELECT FROM pg_prepared_statements WHERE name = $1';
  return (await client.query({ name, text, values: [name] })).rowCount === 0;
}

async function requireTransactions(client: pg.Client): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query('COMMIT');
  } catch (error) {
    throw error instanceof pg.DatabaseError ? new Error(LENDS_STATEMENTS, { cause: error }) : error;
  }
}

async function withPair<T>(url: string, work: (first: pg.Client, second: () => Promise<pg.Client>) => Promise<T>) {
  await using stack = new AsyncDisposableStack();
  const connect = async () => {
    const client = await connectClient(url, { application_name: 'causeway-start', query_timeout: QUERY_TIMEOUT_MS });
    stack.defer(() => client.end().catch(() => undefined));
    return client;
  };
  return await work(await connect(), connect);
}

async function look(first: pg.Client, connectSecond: () => Promise<pg.Client>): Promise<Pooling> {
  // A server sends its process id on connection; a pooler sends another number. pg's types lack the field.
  const { processID } = first as pg.Client & { processID?: number };
  if ((await backendOf(first)) === processID) return OWN_SESSION;
  if (await keepApart(first, await connectSecond())) return OWN_SESSION;
  await requireTransactions(first);
  return { keepsSessions: false, keepsStatements: await keepsStatements(first) };
}

/**
 * Makes sure that the service can work behind the pooler that a URL may lead to: behaviour 16.10. One that lends
 * sessions for a transaction (PgBouncer in transaction mode) loses what a connection sets there, so the role has to
 * bring it.
 *
 * @throws with the remedy if transactions are split up or the role lacks a setting, and if the database cannot be
 *   reached
 */
export async function requirePooling(url: string, limits: SessionLimits): Promise<Pooling> {
  return await withPair(url, async (first, second) => {
    const pooling = await look(first, second);
    if (!pooling.keepsSessions) await requireSettings(first, sessionSettings(limits));
    return pooling;
  });
}

async function requireSettings(client: pg.Client, settings: Record<string, string>): Promise<void> {
  const values = [Object.keys(settings), Object.values(settings)];
  const { rows } = await client.query<{ remedy: string | null }>(LACKED, values);
  const remedy = rows[0]?.remedy ?? null;
  if (remedy === null) return;
  throw new Error(
    'DATABASE_URL leads to a connection pooler that lends a connection for one transaction at a time, and its sessions ' +
      'do not begin with the settings of the service. As this role, or as a superuser, run in the database: ' +
      `${remedy} Then let the pooler connect anew (RECONNECT in PgBouncer's console).`,
  );
}

/**
 * For what must not run behind a pooler that lends sessions for a transaction.
 *
 * @throws with the remedy if that is where the URL leads
 */
export async function requireSessions(url: string): Promise<void> {
  const { keepsSessions } = await withPair(url, look);
  if (!keepsSessions) throw new Error(LENDS_TRANSACTIONS);
}
