import type { Database } from '@causeway/db';
import { until } from './test-service.ts';

/** Holds transactions that write certain account imports, in the middle of their statement. */
export interface HeldWriters {
  /** Holds what stages or completes the account from now on. */
  hold(externalAccountNumber: string): Promise<void>;
  /** Waits until a transaction is held for the account: it has drawn its number, and has not been committed. */
  held(externalAccountNumber: string): Promise<void>;
  /** Lets it continue, and be committed. */
  release(externalAccountNumber: string): Promise<void>;
  releaseAll(): Promise<void>;
  end(): Promise<void>;
}

// Two numbers, the second from the account's: no lock of the service has the first.
const LOCK = 4711;

/** By a trigger of `account_imports` that waits for a lock, after the row was written. */
export async function holdWriters({ pool }: Database): Promise<HeldWriters> {
  await pool.query(`CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${LOCK}, hashtext(NEW.external_account_number)); RETURN NEW; END $$`);
  await pool.query(`CREATE TRIGGER gate AFTER INSERT OR UPDATE OF state ON account_imports
    FOR EACH ROW EXECUTE FUNCTION pass_gate()`);
  const keeper = await pool.connect();
  const releaseAll = async () => {
    await keeper.query('SELECT pg_advisory_unlock_all()');
  };
  return {
    hold: async (number) => {
      await keeper.query(`SELECT pg_advisory_lock(${LOCK}, hashtext($1))`, [number]);
    },
    held: async (number) => {
      await until(async () => {
        const { rows } = await pool.query(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
            AND classid = ${LOCK} AND objid = hashtext($1)::oid`,
          [number],
        );
        return rows.length > 0;
      });
    },
    release: async (number) => {
      await keeper.query(`SELECT pg_advisory_unlock(${LOCK}, hashtext($1))`, [number]);
    },
    releaseAll,
    end: async () => {
      await releaseAll();
      keeper.release();
      await pool.query('DROP FUNCTION pass_gate CASCADE');
    },
  };
}
