import type { Database } from '@causeway/db';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { until } from '../support/test-service.ts';

/**
 * Holds process calls in the middle of their work, as long as the test wants: an account with a customer of
 * `familyName` is not finished before `release`. A table lock of the test's own would not do: PostgreSQL takes those
 * before the statement begins, and with it before the locks that are to be seen held. A test says `using hold`, which lets
 * go also if it fails.
 */
export interface Hold extends Disposable {
  familyName: string;
  /** Waits until so many process calls are held, and answers with their database sessions. */
  waitFor(calls: number): Promise<number[]>;
  release(): Promise<void>;
}

/** A customer of this family name makes its account fail while it is written, as a defect of ours would. */
export const BREAKING = { family_name: 'BREAK' };

/** Of an import supplier whose process calls are held one by one: where their number is limited, none shares a statement. */
export const UNGROUPED = { process_concurrency_limit: 100 };

let holds = 0;

/** Makes the test's database hold and break such accounts. */
export async function holdAccountsIn(database: Database): Promise<void> {
  await database.pool.query(`
    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.family_name = 'BREAK' THEN RAISE EXCEPTION 'a library''s own words'; END IF;
      PERFORM pg_advisory_xact_lock_shared(substring(NEW.family_name FROM 6)::bigint);
      RETURN NEW;
    END $$;
    CREATE TRIGGER hold BEFORE INSERT ON customers FOR EACH ROW
      WHEN (NEW.family_name = 'BREAK' OR NEW.family_name LIKE 'HOLD %') EXECUTE FUNCTION hold();
  `);
}

export async function holdAccounts(database: Database): Promise<Hold> {
  holds += 1;
  const number = holds;
  const client = await borrowConnection(database.pool);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid, pg_advisory_lock($1)', [
    number,
  ]);
  const pid = rows[0]?.pid ?? 0;
  return {
    familyName: `HOLD ${number}`,
    waitFor: (calls) => sessionsBehind(database, pid, calls),
    async release() {
      await client.query('SELECT pg_advisory_unlock($1)', [number]);
      client.release();
    },
    [Symbol.dispose]: client[Symbol.dispose],
  };
}

/** Waits until so many database sessions wait for a lock of session `pid`. */
export async function sessionsBehind(database: Database, pid: number, calls: number): Promise<number[]> {
  let waiting: number[] = [];
  await until(async () => {
    const { rows } = await database.pool.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY (pg_blocking_pids(pid))',
      [pid],
    );
    waiting = rows.map((row) => row.pid);
    return waiting.length >= calls;
  });
  return waiting;
}

/** What happens to a service whose connection, or whole machine, is lost in the middle of a call. */
export async function killSession(database: Database, pid: number): Promise<void> {
  await database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
}
