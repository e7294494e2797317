import pg from 'pg';
import { isRolledBack } from '../database-errors.ts';
import { withConnection } from './connect.ts';
import { MIGRATIONS_DIRECTORY, readMigrations } from './migration-list.ts';
import { unappliedMigrations } from './pending-migrations.ts';
import { NO_FILTERS, openSchemaEngine } from './schema-engine.ts';

/** The advisory lock of the instance that migrates; the number is Prisma's own, so that its CLI waits for us too. */
export const MIGRATION_LOCK = 72_707_369;
/** A table lock that is not granted soon would stop every request that queues behind it. */
export const LOCK_TIMEOUT = '15s';
/** The tables that a migration locks one after the other may be those of a call that is under way. */
const ATTEMPTS = 5;
const INSUFFICIENT_PRIVILEGE = '42501';
const REMEDY = 'Set DATABASE_OWNER_URL to a role that owns the tables: it migrates, and grants the service its rights.';

const isDenied = (reason: unknown): boolean =>
  reason instanceof pg.DatabaseError && reason.code === INSUFFICIENT_PRIVILEGE;

/** An error that names the migration and the database's own reason, the first of what went wrong. */
function explain(error: unknown, reason: unknown): Error {
  const [, name] = /migration_name="([^"]+)"/.exec(String(error)) ?? [];
  const detail = reason instanceof Error ? reason.message : String(reason);
  const remedy = isDenied(reason) ? `. ${REMEDY}` : '';
  const message = `The database was not changed: migration ${name ?? 'run'} failed: ${detail}${remedy}`;
  return new Error(message, { cause: reason });
}

async function applyMigrations(client: pg.Client, directory: string): Promise<void> {
  const failures: unknown[] = [];
  try {
    await client.query('BEGIN');
    // The engine takes this lock too, but it must be held until COMMIT and waited for as long as that takes.
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    using engine = await openSchemaEngine({ client, onError: (error) => failures.push(error) });
    await engine.applyMigrations({ migrationsList: await readMigrations(directory), filters: NO_FILTERS });
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
  } catch (error) {
    throw explain(error, failures[0] ?? error);
  }
}

async function applyOnceMoreAfterDeadlock(client: pg.Client, directory: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyMigrations(client, directory);
    } catch (error) {
      if (attempt === ATTEMPTS || !isRolledBack(error)) throw error;
      await client.query('ROLLBACK');
    }
  }
}

/**
 * Brings a database up to date. All pending migrations and Prisma's record of them are one transaction: they
 * are applied whole or not at all, even if this process is killed, and the next start begins afresh. Instances that
 * start at once wait for the first one. A database that is up to date costs one query.
 *
 * @param url of the database, as PostgreSQL writes it; the role need not be the owner where nothing is pending
 * @throws where the database cannot be reached, and where a migration fails, with its name and the database's reason
 */
export async function migrate(url: string, directory = MIGRATIONS_DIRECTORY): Promise<void> {
  await withConnection(url, async (client) => {
    const pending = await unappliedMigrations(client, directory).catch((error: unknown) => {
      throw isDenied(error) ? new Error(`${(error as Error).message}. ${REMEDY}`, { cause: error }) : error;
    });
    if (pending.length === 0) return;
    await applyOnceMoreAfterDeadlock(client, directory);
  });
}
