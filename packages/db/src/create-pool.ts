import pg from 'pg';

export interface DatabaseOptions {
  /** `postgresql://user:password@host:port/database`; its parameters win over the options below, but for the time zone. */
  url: string;
  /** Most connections at once: 10 unless given. */
  poolSize?: number;
  /** How long to wait for a free or a new connection: 5,000 ms unless given. */
  acquireTimeoutMs?: number;
  /** 10,000 ms unless given. */
  statementTimeoutMs?: number;
  /** 5,000 ms unless given. */
  lockTimeoutMs?: number;
  /** How long a session may sit in an open transaction: 10,000 ms unless given. */
  idleInTransactionTimeoutMs?: number;
  /** Hears of connections that broke. They are replaced, so that this is for the log only. */
  onError?: (error: Error) => void;
}

const DATE = 1082;
const DATE_ARRAY = 1182;
const NUMERIC_ARRAY = 1231;
const NETWORK_GRACE_MS = 2_000;

const asText = (value: string): string => value;
// pg's type names no arrays: a plain number passes.
const textArray: number = 1009;
const asTexts = pg.types.getTypeParser(textArray);
const parsers = new Map<number, (value: string) => unknown>([
  [DATE, asText],
  [DATE_ARRAY, asTexts],
  [NUMERIC_ARRAY, asTexts],
]);

/** pg's own parsers but for dates and arrays of numerics; numeric and int8 are strings there already. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' ? parsers.get(oid) : undefined) ?? pg.types.getTypeParser(oid, format),
};

// A statement whose client has died, say one that waits for a lock, ends and gives up what it holds.
const WATCH_CLIENT = '-c client_connection_check_interval=1000';

// A plan is made once, perhaps while a table is still empty, and lives on when it has grown: it has to use the indexes.
// It prices what has no index so high that PostgreSQL would compile such a statement each time.
const NO_SCANS = '-c enable_seqscan=off -c jit=off';

// The last limit, which PostgreSQL has since 17: a session whose client has fallen silent in the middle of a statement.
const LIMIT_TRANSACTIONS = `SELECT set_config('transaction_timeout', $1, false)
  WHERE current_setting('server_version_num')::integer >= 170000`;

/** Session settings travel with the connection's first message. UTC comes last, so that nothing in the URL can change it. */
function withoutOptions(url: string): { connectionString: string; options: string } {
  const parsed = new URL(url);
  const given = parsed.searchParams.get('options') ?? '';
  parsed.searchParams.delete('options');
  return { connectionString: parsed.href, options: `${WATCH_CLIENT} ${NO_SCANS} ${given} -c TimeZone=UTC`.trim() };
}

/** The pool that Prisma and plain queries share. A connection that breaks is reported and replaced, never thrown. */
export function createPool(options: DatabaseOptions): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
  const pool = new pg.Pool({
    application_name: 'causeway',
    ...withoutOptions(options.url),
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.acquireTimeoutMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 10_000,
    // The server's limit does not help where the network swallows its answer.
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + NETWORK_GRACE_MS } : {}),
    types,
    // Before the connection is handed out.
    async onConnect(client: pg.ClientBase) {
      if (statementTimeoutMs > 0) {
        await client.query(LIMIT_TRANSACTIONS, [String(statementTimeoutMs + NETWORK_GRACE_MS)]);
      }
    },
  });
  const report = (error: Error): void => options.onError?.(error);
  pool.on('error', report);
  // A connection in use is not the pool's: without a listener its 'error' would end the process.
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}
