import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isAcquireTimeout, isConnectionFailure, isReadOnlySession, isRolledBack } from './database-errors.ts';
import { GRACE_MS, RAISE_LIMITS } from './session-settings.ts';
import type { SqlStatement, Values } from './sql.ts';

/** Runs statements: each on its own on the database, or together within a transaction. */
export interface Queryable {
  /** The rows of one statement. Numeric and int8 are strings, a date is `YYYY-MM-DD`, a timestamptz a Date. */
  query<Row, Name extends string>(statement: SqlStatement<Row, Name>, values: Values<NoInfer<Name>>): Promise<Row[]>;
  /** For statements that calls share; absent if nobody wants to know. */
  readonly sharing?: StatementSharing | undefined;
}

/** Told of each statement with its title, on its connection: not of the wait for one. */
export interface StatementObserver {
  /** A statement is sent; what is returned is called when it is over, with whether it failed. */
  sent(title: string): (failed: boolean) => void;
  /** Present if it wants to know who a statement is for. */
  sharing?: StatementSharing;
}

/** Who a statement is for, where calls share one. */
export interface StatementSharing {
  /** Who is being worked for. */
  current(): unknown;
  /** Works for all of these. */
  within<T>(callers: readonly unknown[], work: () => Promise<T>): Promise<T>;
}

const ATTEMPTS = 5;
const FIRST_DELAY_MS = 20;

type Outcome<T> = { value: T } | { error: unknown; repeatable: boolean };

async function repeat<T>(attempt: () => Promise<Outcome<T>>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt();
    if ('value' in outcome) return outcome.value;
    if (!outcome.repeatable || attempts === ATTEMPTS) throw outcome.error;
    // Random, so that two deadlocked transactions do not meet again.
    await delay(Math.random() * FIRST_DELAY_MS * 2 ** attempts);
  }
}

/** Where statements run, whether under their names, and who is told of them. */
export interface Sessions {
  pool: pg.Pool;
  observer?: StatementObserver | undefined;
  keepsStatements: boolean;
  transactionStatementTimeoutMs?: number | undefined;
}

function onConnection<T>(sessions: Sessions, attempt: (session: Session) => Promise<Outcome<T>>): Promise<T> {
  const { pool, ...others } = sessions;
  return repeat(async () => {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      return { error, repeatable: isConnectionFailure(error) && !isAcquireTimeout(error) };
    }
    return attempt({ client, ...others });
  });
}

type Session = Omit<Sessions, 'pool'> & { client: pg.PoolClient };

async function runStatement<Row, Name extends string>(
  { client, observer, keepsStatements }: Session,
  statement: SqlStatement<Row, Name>,
  values: Values<Name>,
): Promise<Row[]> {
  const { name, title, text } = statement;
  const config = { name: keepsStatements ? name : '', text, values: orderedValues(statement, values) };
  const over = observer?.sent(title);
  try {
    const { rows } = await client.query<Row & pg.QueryResultRow>(config);
    over?.(false);
    return rows;
  } catch (error) {
    over?.(true);
    throw error;
  }
}

/** The values in the order of the parameters. A missing value is an error, not null. */
function orderedValues<Name extends string>(
  { name, parameters }: SqlStatement<unknown, Name>,
  values: Values<Name>,
): unknown[] {
  return parameters.map((parameter) => {
    const value: unknown = values[parameter];
    if (value === undefined) throw new TypeError(`The statement ${name} has no value for ${parameter}`);
    return value;
  });
}

/**
 * Runs one statement, committed by itself. After a deadlock or a serialisation failure it was certainly rolled back and
 * is retried, also if no connection could be obtained. It is not retried if the connection was lost later: the
 * statement may have been committed.
 */
export async function runQuery<Row, Name extends string>(
  sessions: Sessions,
  statement: SqlStatement<Row, Name>,
  values: Values<Name>,
): Promise<Row[]> {
  return onConnection(sessions, async (session) => {
    const { client } = session;
    try {
      const value = await runStatement(session, statement, values);
      client.release();
      return { value };
    } catch (error) {
      // The connection survives an error of the statement; pool.query would discard it each time.
      client.release(isConnectionFailure(error) || isReadOnlySession(error));
      return { error, repeatable: isRolledBack(error) };
    }
  });
}

async function raiseLimits({ client, transactionStatementTimeoutMs: ms }: Session): Promise<void> {
  if (ms !== undefined) await client.query(RAISE_LIMITS, [String(ms), String(ms + GRACE_MS)]);
}

async function attemptTransaction<T>(session: Session, work: (tx: Queryable) => Promise<T>): Promise<Outcome<T>> {
  const { client } = session;
  let state: 'open' | 'committing' | 'over' = 'open';
  const tx: Queryable = {
    query: async (statement, values) => {
      if (state !== 'open') throw new Error(`The transaction is over: ${statement.name}`);
      return runStatement(session, statement, values);
    },
  };
  try {
    await client.query('BEGIN');
    await raiseLimits(session);
    const value = await work(tx);
    state = 'committing';
    const { command } = await client.query('COMMIT');
    // PostgreSQL's answer if the error of a statement was ignored: nothing was written.
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back: one of its statements had failed.');
    client.release();
    return { value };
  } catch (error) {
    // Once COMMIT was sent and not answered, it is unknown whether it took effect: never retried.
    const uncertain = state === 'committing' && isConnectionFailure(error);
    state = 'over';
    const cleaned = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    );
    client.release(!cleaned || isReadOnlySession(error));
    return { error, repeatable: !uncertain && (isRolledBack(error) || isConnectionFailure(error)) };
  }
}

/**
 * Runs `work` in one transaction. After a deadlock, a serialisation failure or a connection lost before COMMIT was
 * sent, everything is rolled back and `work` is retried, at most 5 runs in all: it must do nothing but query. After a
 * COMMIT without an answer the error is passed on, because the outcome is unknown.
 */
export async function runTransaction<T>(sessions: Sessions, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return onConnection(sessions, (session) => attemptTransaction(session, work));
}
