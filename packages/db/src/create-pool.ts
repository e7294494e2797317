import pg from 'pg';
import { clientOf, hostsOf } from './hosts.ts';
import { DEFAULT_LIMITS, GRACE_MS, type SessionLimits, sessionSettings } from './session-settings.ts';

export interface DatabaseOptions extends SessionLimits {
  /**
   * `postgresql://user:password@host:port/database`, or several `host:port` with commas between them; its parameters
   * override the options below, except for the time zone.
   */
  url: string;
  /** Maximum number of connections. Default: 10. */
  poolSize?: number;
  /** For statements of transactions, if they may take longer than others: for work that nobody waits for. */
  transactionStatementTimeoutMs?: number | undefined;
  /** How long to wait for a free or a new connection. Default: 5,000 ms. */
  acquireTimeoutMs?: number;
  /** Called for each broken connection. It is replaced, so this is for the log only. */
  onError?: (error: Error) => void;
}

const DATE = 1082;
const DATE_ARRAY = 1182;
const NUMERIC_ARRAY = 1231;

const asText = (value: string): string => value;
// pg's type has no array types: a plain number is accepted.
const textArray: number = 1009;
const asTexts = pg.types.getTypeParser(textArray);
const parsers = new Map<number, (value: string) => unknown>([
  [DATE, asText],
  [DATE_ARRAY, asTexts],
  [NUMERIC_ARRAY, asTexts],
]);

/** pg's own parsers, except for dates and arrays of numerics; numeric and int8 are already strings there. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' ? parsers.get(oid) : undefined) ?? pg.types.getTypeParser(oid, format),
};

// Set by a statement, because a pooler refuses or drops settings in the connection's startup message. Settings in the
// URL take precedence, except for the time zone; settings unknown to this server are left out.
const SET_UP_SESSION = `SELECT set_config(known.name, wanted.value, false)
  FROM unnest($1::text[], $2::text[]) AS wanted (name, value) JOIN pg_settings known ON known.name = wanted.name
  WHERE known.source <> 'client' OR known.name = 'TimeZone'`;

/** The pool of all queries. A connection that breaks is reported and replaced, never thrown. */
export function createPool(options: DatabaseOptions): pg.Pool {
  const { statementTimeoutMs = DEFAULT_LIMITS.statementTimeoutMs, transactionStatementTimeoutMs = 0 } = options;
  const longestMs = Math.max(statementTimeoutMs, transactionStatementTimeoutMs);
  const settings = sessionSettings(options);
  const hosts = hostsOf(options.url);
  const pool = new pg.Pool({
    application_name: 'causeway',
    connectionString: hosts.current(),
    Client: clientOf(hosts),
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: options.acquireTimeoutMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // The server's limit does not help if the network loses its answer.
    ...(statementTimeoutMs > 0 ? { query_timeout: longestMs + GRACE_MS } : {}),
    types,
    // Runs before the connection is handed out.
    async onConnect(client: pg.ClientBase) {
      await client.query(SET_UP_SESSION, [Object.keys(settings), Object.values(settings)]);
    },
  });
  const report = (error: Error): void => options.onError?.(error);
  pool.on('error', report);
  // The pool does not listen to a connection in use: without a listener, its 'error' event would end the process.
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}
