/** What bounds a session. A value of 0 is no limit. */
export interface SessionLimits {
  /** Default: 12,000 ms. */
  statementTimeoutMs?: number | undefined;
  /** Default: 10,000 ms. */
  lockTimeoutMs?: number | undefined;
  /** How long a session may be idle in a transaction. Default: 10,000 ms. */
  idleInTransactionTimeoutMs?: number | undefined;
}

export const DEFAULT_LIMITS = {
  statementTimeoutMs: 12_000,
  lockTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 10_000,
} satisfies Required<SessionLimits>;

/** How much longer than a statement its answer, and its transaction, may take. */
export const GRACE_MS = 2_000;

/** The settings of each session, by name. A server may not know the newest of them. */
export function sessionSettings(limits: SessionLimits = {}): Record<string, string> {
  const {
    statementTimeoutMs = DEFAULT_LIMITS.statementTimeoutMs,
    lockTimeoutMs = DEFAULT_LIMITS.lockTimeoutMs,
    idleInTransactionTimeoutMs = DEFAULT_LIMITS.idleInTransactionTimeoutMs,
  } = limits;
  return {
    TimeZone: 'UTC',
    // A statement whose client has died (for example while it waits for a lock) ends and releases its locks.
    client_connection_check_interval: '1000',
    // A plan is made once, perhaps while a table is still empty, and lives on when it has grown: it has to use the
    // indexes (docs/decisions/0014). It prices what has no index so high that PostgreSQL would compile such a statement
    // each time.
    enable_seqscan: 'off',
    jit: 'off',
    // One plan for all values, as most statements have anyway after five calls: the first five are not planned each time.
    plan_cache_mode: 'force_generic_plan',
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(lockTimeoutMs),
    idle_in_transaction_session_timeout: String(idleInTransactionTimeoutMs),
    // The last limit, available since PostgreSQL 17: a session whose client stops responding in the middle of a
    // statement.
    transaction_timeout: String(statementTimeoutMs > 0 ? statementTimeoutMs + GRACE_MS : 0),
  };
}

/**
 * Lets a statement of the transaction that has just begun take longer than those of its session: $1 and, for the whole
 * transaction, $2. It is set for the transaction, and not for a session that a pooler lends to others. The limit of a
 * transaction has to be lifted before it can be raised; PostgreSQL 16 does not know it.
 */
export const RAISE_LIMITS = `
  SELECT set_config('statement_timeout', $1, true),
    CASE WHEN known.it THEN set_config('transaction_timeout', '0', true) END,
    CASE WHEN known.it THEN set_config('transaction_timeout', $2, true) END
  FROM (SELECT current_setting('transaction_timeout', true) IS NOT NULL) AS known (it)`;
