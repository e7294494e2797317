import type pg from 'pg';
import { createPool, type DatabaseOptions } from './create-pool.ts';
import { type Queryable, runQuery, runTransaction, type StatementObserver } from './run-transaction.ts';

export interface Database extends Queryable {
  readonly pool: pg.Pool;
  /**
   * Runs `work` in one transaction. It may run up to 5 times, after deadlocks and lost connections, so it must do
   * nothing but query. Never retried once COMMIT was sent and not answered.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Lets running queries finish, then closes all connections. */
  close(): Promise<void>;
}

interface MoreOptions {
  observer?: StatementObserver | undefined;
  /** False behind a pooler that loses them: each statement is then parsed and planned each time. Default: true. */
  keepsStatements?: boolean;
}

/**
 * Opens a database: behaviour 15.3. Each session runs in UTC with the given timeouts. It connects at the first query.
 * Errors are those of pg: see `isUniqueViolation`, `isConnectionFailure`.
 */
export function openDatabase({
  observer,
  keepsStatements = true,
  ...options
}: DatabaseOptions & MoreOptions): Database {
  const pool = createPool(options);
  const { transactionStatementTimeoutMs } = options;
  const sessions = { pool, observer, keepsStatements, transactionStatementTimeoutMs };
  return {
    pool,
    sharing: observer?.sharing,
    query: (statement, values) => runQuery(sessions, statement, values),
    transaction: (work) => runTransaction(sessions, work),
    close: runOnce(() => pool.end()),
  };
}

/** However often the returned function is called, `action` runs once; all callers get its outcome. */
function runOnce(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action();
    return running;
  };
}
