import pg from 'pg';
import type { ServiceWorld } from './service-world.ts';
import type { World } from './start-world.ts';
import { timeUntil } from './wait.ts';

/** Blocks statements of the service in the database while it is closed. */
export interface Gate extends AsyncDisposable {
  close(): Promise<void>;
  open(): Promise<void>;
  /** The sessions that it blocks. */
  waiting(): Promise<number>;
}

// A lock named by two numbers: the service's locks use one.
const GATE = '4711, 1';

/**
 * Holds every creation of accounts at the end of its statement, by a trigger on `accounts` that waits for a lock: a
 * blocked call has passed all checks and written its rows, and holds the locks of process.
 */
export async function buildGate(world: World): Promise<Gate> {
  await world.query(`CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${GATE}); RETURN NEW; END $$`);
  await world.query('CREATE TRIGGER gate AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION pass_gate()');
  const keeper = new pg.Client({ connectionString: world.postgres.url, application_name: 'gate' });
  await keeper.connect();
  return {
    close: async () => {
      await keeper.query(`SELECT pg_advisory_lock(${GATE})`);
    },
    open: async () => {
      await keeper.query(`SELECT pg_advisory_unlock(${GATE})`);
    },
    waiting: () =>
      world.count("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 4711 AND NOT granted"),
    [Symbol.asyncDispose]: () => keeper.end(),
  };
}

/**
 * Counts the accounts that are being created at this moment, by a lock of their own until their transaction ends: not
 * by the slots that the service takes for them.
 */
export async function buildAccountCounter(world: ServiceWorld): Promise<() => Promise<number>> {
  await world.query(`CREATE FUNCTION count_account() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(4712, hashtext(NEW.account_import_id::text)); RETURN NEW; END $$`);
  await world.query('CREATE TRIGGER counter BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION count_account()');
  return () =>
    world.count("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 4712 AND objsubid = 2");
}

/** Resolves once this many calls are blocked or answered: a refused call never blocks. */
export async function allWaitOrAreAnswered(
  gate: Gate,
  calls: readonly Promise<unknown>[],
  expected = calls.length,
): Promise<void> {
  let answered = 0;
  for (const call of calls) call.then(() => (answered += 1));
  await timeUntil(async () => (await gate.waiting()) + answered >= expected);
}
