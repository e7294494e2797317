import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { World } from './start-world.ts';

/** Holds every creation of an account in the middle of its statement, in the database, for as long as it is closed. */
export interface Gate extends AsyncDisposable {
  close(): Promise<void>;
  open(): Promise<void>;
  /** Sessions that stand before it. */
  waiting(): Promise<number>;
}

// Named by two numbers: those of the service are one.
const GATE = '4711, 1';

/** A trigger on `accounts` that waits for a lock: what is held has passed all checks and holds what process holds. */
export async function buildGate(world: World): Promise<Gate> {
  await world.query(`CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$`);
  await world.query('CREATE TRIGGER gate BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION pass_gate()');
  const keeper = new pg.Client({ connectionString: world.postgres.url, application_name: 'gate' });
  await keeper.connect();
  return {
    close: async () => {
      await keeper.query(`SELECT pg_advisory_lock(${GATE})`);
    },
    open: async () => {
      await keeper.query(`SELECT pg_advisory_unlock(${GATE})`);
    },
    async waiting() {
      const [row] = await world.query<{ waiting: number }>(
        "SELECT count(*)::int AS waiting FROM pg_locks WHERE locktype = 'advisory' AND classid = 4711 AND NOT granted",
      );
      return row?.waiting ?? 0;
    },
    [Symbol.asyncDispose]: () => keeper.end(),
  };
}

/** Sessions of the service in a transaction: in the middle of a statement, or between two. */
export async function openTransactions(world: World, state: 'active' | 'idle in transaction'): Promise<number> {
  const [row] = await world.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM pg_stat_activity
    WHERE application_name = 'causeway' AND xact_start IS NOT NULL AND state = $1`,
    [state],
  );
  return row?.open ?? 0;
}

const POLL_INTERVAL_MS = 20;

/** How long it took until this was so, in milliseconds; Infinity if it is not after `patienceMs`. */
export async function timeUntil(isSo: () => Promise<boolean> | boolean, patienceMs = 600_000): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const isNow = await isSo();
    const elapsed = performance.now() - startedAt;
    if (isNow) return elapsed;
    if (elapsed > patienceMs) return Number.POSITIVE_INFINITY;
    await delay(POLL_INTERVAL_MS);
  }
}
